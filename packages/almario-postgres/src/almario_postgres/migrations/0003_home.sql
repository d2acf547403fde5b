-- What is the home's and no agent's. Its small papers: tokens, jobs of servers, the key of exports.
CREATE TABLE papers(
    agent bigint NOT NULL CHECK (agent = 0), name text NOT NULL, content bytea NOT NULL, changed bigint NOT NULL,
    PRIMARY KEY (agent, name)) PARTITION BY HASH (agent);
CALL divide('papers');
CALL guard('papers');

-- The nights: when something is next due for an agent, who is at it and until when they have it to themselves;
-- *seen* is the last write that was looked at, *told* how each job went; and what models have cost on a day.
CREATE TABLE nights(
    agent bigint PRIMARY KEY, due timestamptz NOT NULL DEFAULT '-infinity', holder text NOT NULL DEFAULT '',
    until timestamptz NOT NULL DEFAULT '-infinity', seen bigint NOT NULL DEFAULT 0,
    told jsonb NOT NULL DEFAULT '{}', day date, tokens bigint NOT NULL DEFAULT 0,
    cost double precision NOT NULL DEFAULT 0) PARTITION BY HASH (agent);
CREATE INDEX nights_by_due ON nights(due);
CALL divide('nights');
CALL guard('nights', '(SELECT almario.me()) IN (0, agent)');
