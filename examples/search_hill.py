#!/usr/bin/env python3
"""Drives `warpsweep tell` by a hill climber over the axes of a search: examples/search_hill.py SPACE.yaml RESULTS.db [ROUNDS].

Needs nothing but Python 3. Every round tells all neighbours of the best point as one batch, and moves to the best of them, until no
neighbour is better. The first objective counts, points beyond a limit do not.
"""
import json
import subprocess
import sys


def tell(space, results, points):
    """Simulates points, [{axis: value}], and returns an answer for each."""
    lines = "".join(json.dumps({"parameters": point}) + "\n" for point in points)
    answer = subprocess.run(["warpsweep", "tell", space, "-o", results], input=lines, text=True, check=True, stdout=subprocess.PIPE)
    return [json.loads(line) for line in answer.stdout.splitlines()]


def sql(results, query):
    answer = subprocess.run(["warpsweep", "sql", results, query, "--format", "jsonl"], text=True, check=True, stdout=subprocess.PIPE)
    return [json.loads(line) for line in answer.stdout.splitlines()]


def neighbours(axes, point):
    """Points that differ in one step of one number, or in one choice."""
    for axis in axes:
        choices = axis["choices"]
        here = choices.index(point[axis["parameter"]])
        steps = [here - 1, here + 1] if axis["ordered"] else [n for n in range(len(choices)) if n != here]
        for n in steps:
            if 0 <= n < len(choices):
                yield {**point, axis["parameter"]: choices[n]}


def main():
    space, results = sys.argv[1:3]
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 20
    asked = subprocess.run(["warpsweep", "ask", space, "-n", "8", "-o", results], text=True, check=True, stdout=subprocess.PIPE)
    starts = [json.loads(line)["parameters"] for line in asked.stdout.splitlines()]
    newest = sql(results, "SELECT search_id, definition FROM search ORDER BY search_id DESC LIMIT 1")[0]
    definition = json.loads(newest["definition"])
    objective = definition["objectives"][0]
    sign = 1 if objective["goal"] == "maximize" else -1

    def value(answer):
        return sign * answer["objectives"][objective["name"]] if answer["status"] == "ok" else float("-inf")

    best = max(tell(space, results, starts), key=value)
    for _ in range(rounds):
        better = max(tell(space, results, list(neighbours(definition["axes"], best["parameters"]))), key=value)
        if value(better) <= value(best):
            break
        best = better
    print(json.dumps(best))


if __name__ == "__main__":
    main()
