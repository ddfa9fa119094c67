#!/usr/bin/env python3
"""Drives `warpsweep tell` by Optuna in batches: examples/search_optuna.py SPACE.yaml RESULTS.db [BATCHES] [POINTS].

Optuna (https://optuna.org) chooses the points of a batch (100), warpsweep simulates them together and answers with their objectives.
Points that constraints or limits exclude are told to Optuna as failed.
"""
import json
import subprocess
import sys

try:
    import optuna
except ImportError:
    sys.exit("this example needs Optuna: pip install optuna (examples/search_hill.py needs nothing)")


def run(*words, **options):
    return subprocess.run(["warpsweep", *words], text=True, check=True, stdout=subprocess.PIPE, **options).stdout


def choose(trial, axes):
    """A point: every axis is a choice among its values; numbers are chosen by their index, so that neighbours are alike."""
    return {axis["parameter"]: axis["choices"][trial.suggest_int(axis["parameter"], 0, len(axis["choices"]) - 1)] if axis["ordered"]
            else trial.suggest_categorical(axis["parameter"], axis["choices"]) for axis in axes}


def main():
    space, results = sys.argv[1:3]
    batches = int(sys.argv[3]) if len(sys.argv) > 3 else 10
    points = int(sys.argv[4]) if len(sys.argv) > 4 else 100
    run("ask", space, "-n", "1", "-o", results)
    newest = run("sql", results, "SELECT definition FROM search ORDER BY search_id DESC LIMIT 1", "--format", "jsonl")
    definition = json.loads(json.loads(newest)["definition"])
    names = [objective["name"] for objective in definition["objectives"]]
    study = optuna.create_study(directions=[objective["goal"] for objective in definition["objectives"]])
    for _ in range(batches):
        trials = [study.ask() for _ in range(points)]
        lines = "".join(json.dumps({"parameters": choose(trial, definition["axes"])}) + "\n" for trial in trials)
        for trial, line in zip(trials, run("tell", space, "-o", results, input=lines).splitlines()):
            answer = json.loads(line)
            if answer["status"] == "ok":
                study.tell(trial, [answer["objectives"][name] for name in names])
            else:
                study.tell(trial, state=optuna.trial.TrialState.FAIL)
    for trial in study.best_trials:
        print(json.dumps({"parameters": trial.params, "objectives": dict(zip(names, trial.values))}))


if __name__ == "__main__":
    main()
