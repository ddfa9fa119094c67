# The demo: the figures of Narasiman et al. (MICRO 2011) beside the paper's values, as `make run` draws them.
#   docker build -t warpsweep . && docker run --rm -v "$PWD/out:/out" warpsweep
FROM debian:12
COPY . /warpsweep
WORKDIR /warpsweep
RUN tools/deps && make
CMD ["make", "run", "OUT=/out"]
