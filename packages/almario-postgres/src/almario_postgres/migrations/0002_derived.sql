-- What follows from the journal and the documents, and can be made anew. Shelf 0 is searched by everyone,
-- shelf 1 holds what is not in use or not trusted. What is compared as text is compared byte by byte.

CREATE TABLE sources(
    agent bigint NOT NULL, shelf smallint NOT NULL, name text COLLATE "C" NOT NULL,
    number bigint NOT NULL, fingerprint text NOT NULL,
    PRIMARY KEY (agent, shelf, name)) PARTITION BY HASH (agent);
-- One fact is one source, and has no fingerprint.
CREATE INDEX sources_of_files ON sources(agent, shelf, number) WHERE fingerprint <> '';
CALL divide('sources');
CALL guard('sources');

CREATE TABLE passages(
    agent bigint NOT NULL, id bigint NOT NULL, line bigint NOT NULL, length int NOT NULL, block int NOT NULL,
    day date, shelf smallint NOT NULL, tells boolean NOT NULL, figures boolean NOT NULL,
    path text NOT NULL, kind text NOT NULL, speaker text NOT NULL, role text NOT NULL, turn text NOT NULL,
    memory text NOT NULL, key text NOT NULL, times text NOT NULL, hash bytea NOT NULL, text text NOT NULL,
    PRIMARY KEY (agent, shelf, id)) PARTITION BY HASH (agent);
CREATE INDEX passages_by_hash ON passages(agent, shelf, hash);
CALL divide('passages');
CALL guard('passages');

-- Of each term the passages that have it, a row for every 256 passages that came together. Measured with 300
-- passages of 35 terms, an agent takes 1.2 MB with a row for each term and passage, 0.3 MB so, 0.15 MB with a
-- list of terms in each passage; a question finds its lists in 0.2, 0.15, 7 ms (3,000 passages: 0.4, 0.2, 34;
-- 50,000: 7, 1.4, 700). One row a term, however long, costs a new passage of 50,000 as much as 230 ms.
CREATE TABLE terms(
    agent bigint NOT NULL, block int NOT NULL, shelf smallint NOT NULL, term text COLLATE "C" NOT NULL,
    ids bigint[] NOT NULL,
    PRIMARY KEY (agent, shelf, term, block)) PARTITION BY HASH (agent);
CALL divide('terms');
CALL guard('terms');

-- The days that passages speak of.
CREATE TABLE moments(
    agent bigint NOT NULL, id bigint NOT NULL, first date NOT NULL, last date NOT NULL, shelf smallint NOT NULL,
    PRIMARY KEY (agent, shelf, first, id, last)) PARTITION BY HASH (agent);
CALL divide('moments');
CALL guard('moments');

CREATE TABLE vectors(
    agent bigint NOT NULL, shelf smallint NOT NULL, model text COLLATE "C" NOT NULL, hash bytea NOT NULL,
    vector halfvec NOT NULL,
    PRIMARY KEY (agent, shelf, model, hash)) PARTITION BY HASH (agent);
ALTER TABLE vectors ALTER vector SET STORAGE PLAIN;  -- in the row: all of an agent's are read for a question
CALL divide('vectors');
CALL guard('vectors');

-- Running totals: passages, words, texts, and the last numbers given out.
CREATE TABLE totals(
    agent bigint NOT NULL, value bigint NOT NULL, shelf smallint NOT NULL, name text COLLATE "C" NOT NULL,
    PRIMARY KEY (agent, shelf, name)) PARTITION BY HASH (agent);
CALL divide('totals');
CALL guard('totals');

-- Instants are texts that sort by time, as the journal writes them.
CREATE TABLE memories(
    agent bigint NOT NULL, number bigint NOT NULL, seq bigint NOT NULL, support double precision,
    id text COLLATE "C" NOT NULL, key text NOT NULL, value text NOT NULL, kind text NOT NULL,
    source text NOT NULL, origin text NOT NULL, at text COLLATE "C" NOT NULL,
    renewed text COLLATE "C" NOT NULL, valid_from text COLLATE "C" NOT NULL, valid_to text COLLATE "C",
    state text NOT NULL, by text NOT NULL, evidence text NOT NULL, path text NOT NULL,
    audience text NOT NULL, dated text NOT NULL, same_key text COLLATE "C" NOT NULL,
    same_value text COLLATE "C" NOT NULL,
    PRIMARY KEY (agent, number)) PARTITION BY HASH (agent);
CREATE UNIQUE INDEX memories_by_id ON memories(agent, id);
CALL divide('memories');
CALL guard('memories');

CREATE TABLE changes(
    agent bigint NOT NULL, seq bigint NOT NULL, nth int NOT NULL, of bigint NOT NULL,
    id text COLLATE "C" NOT NULL, at text NOT NULL, actor text NOT NULL, verb text NOT NULL,
    change text NOT NULL,
    PRIMARY KEY (agent, seq, nth)) PARTITION BY HASH (agent);
CREATE INDEX changes_by_id ON changes(agent, id, seq);
CALL divide('changes');
CALL guard('changes');

CREATE TABLE evidence(
    agent bigint NOT NULL, turn text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL,
    PRIMARY KEY (agent, turn, id)) PARTITION BY HASH (agent);
CALL divide('evidence');
CALL guard('evidence');

-- Short texts under names: the rows of read models, and how far they have followed the journal.
CREATE TABLE notes(
    agent bigint NOT NULL, name text COLLATE "C" NOT NULL, value text NOT NULL,
    PRIMARY KEY (agent, name)) PARTITION BY HASH (agent);
CALL divide('notes');
CALL guard('notes');
