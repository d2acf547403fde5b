# The command line in a small image; the agents live in a volume:
#   docker run -it --rm -v almario:/home/almario/.almario -e ANTHROPIC_API_KEY almario
FROM python:3.13-slim AS build
WORKDIR /src
COPY constraints.txt pyproject.toml hatch_build.py README.md LICENSE ./
COPY src ./src
COPY packages ./packages
RUN python -m venv /opt/almario \
    && /opt/almario/bin/pip install --no-cache-dir --disable-pip-version-check \
        -c constraints.txt '.[anthropic,mcp,serve]' ./packages/almario-explorer ./packages/almario-formats ./packages/almario-gateway ./packages/almario-local ./packages/almario-telegram

FROM python:3.13-slim
# llama.cpp, which runs downloaded models, needs libgomp.
RUN apt-get update && apt-get install -y --no-install-recommends libgomp1 && rm -rf /var/lib/apt/lists/*
RUN useradd --create-home --uid 1000 almario \
    && install -d -m 700 -o almario -g almario /home/almario/.almario
COPY --from=build /opt/almario /opt/almario
USER almario
WORKDIR /home/almario
ENV PATH=/opt/almario/bin:$PATH LANG=C.UTF-8 ALMARIO_CACHE=/home/almario/.almario/cache
VOLUME /home/almario/.almario
ENTRYPOINT ["almario"]
CMD ["chat"]
