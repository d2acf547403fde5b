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

-- All that a search looks at, in one call. The rules of a search are not here (domain/candidates.py): this
-- brings what they will most likely ask for, and what is missing they ask for themselves.
--
-- A term of a word stands for all terms from itself up to its *till*; those of *spare* count where the index
-- has no other term of the word. *query* is the vector in halves, and *rest* what the halves leave out. The
-- best by their words are *worded*, if these are known.
--
-- Parts: `n` how many passages there are and words they have, `t` the ids under a term, `w` the best by words,
-- `v` the nearest in meaning (and of all cosines how many, mean and spread), `d` those of a time, `p` a passage
-- and its cosine.
CREATE FUNCTION candidates(
    who bigint, place smallint,
    word int[], term text[], till text[], spare_word int[], spare text[], spare_till text[], by_words int,
    space text, query halfvec, rest halfvec, by_meaning int,
    since date[], until date[], by_time int, beside int[], worded bigint[])
    RETURNS TABLE(part text, id bigint, measure double precision, spread double precision, ids bigint[],
        path text, line bigint, kind text, day date, speaker text, role text, turn text, memory text, key text,
        length int, tells boolean, figures boolean, times text)
    LANGUAGE plpgsql STABLE ROWS 300 SET plan_cache_mode = force_generic_plan SET jit = off AS $$
#variable_conflict use_column
DECLARE
    total double precision;
    here int;
    known int[] := '{}';
    near bytea[];
    others bigint[] := '{}';
BEGIN
    SELECT coalesce(max(n.value) FILTER (WHERE n.name = 'passages'), 0),
           coalesce(max(n.value) FILTER (WHERE n.name = 'words'), 0)
        INTO id, measure FROM totals n WHERE n.agent = who AND n.shelf = place;
    total := id;
    part := 'n';
    RETURN NEXT;

    part := 't';
    FOR here, path, key, ids IN SELECT a.w, a.t, a.e, l.ids FROM unnest(word, term, till) a(w, t, e)
            JOIN terms l ON l.agent = who AND l.shelf = place AND l.term >= a.t AND l.term <= a.e LOOP
        known := known || here;
        RETURN NEXT;
    END LOOP;
    FOR here, path, key, ids IN SELECT a.w, a.t, a.e, l.ids FROM unnest(spare_word, spare, spare_till) a(w, t, e)
            JOIN terms l ON l.agent = who AND l.shelf = place AND l.term >= a.t AND l.term <= a.e
            WHERE a.w <> ALL(known) LOOP
        word := word || here;
        term := term || path;
        till := till || key;
        RETURN NEXT;
    END LOOP;
    path := NULL;
    key := NULL;

    IF worded IS NULL THEN
        WITH listed AS MATERIALIZED (
            SELECT a.w, a.t, l.ids AS held FROM (SELECT DISTINCT * FROM unnest(word, term, till)) a(w, t, e)
            JOIN terms l ON l.agent = who AND l.shelf = place AND l.term >= a.t AND l.term <= a.e
        ), sized AS (
            SELECT w, sum(cardinality(held)) AS size FROM listed GROUP BY w, t
        ), weighed AS (
            SELECT w, ln(1 + (greatest(total, max(size)) + 50.5 - max(size)) / (max(size) + 0.5)) AS weight
            FROM sized GROUP BY w
        ), best AS (
            SELECT h.one FROM (SELECT DISTINCT w, one FROM listed, unnest(held) one) h
            JOIN weighed USING (w) GROUP BY h.one ORDER BY sum(weight) DESC, h.one DESC LIMIT by_words
        )
        SELECT coalesce(array_agg(one), '{}') INTO worded FROM best;
    END IF;
    part := 'w';
    ids := worded;
    RETURN NEXT;

    IF query IS NOT NULL THEN
        WITH compared AS MATERIALIZED (
            SELECT v.hash, -(v.vector <#> query) AS about FROM vectors v
            WHERE v.agent = who AND v.shelf = place AND v.model = space
        ), last AS (
            SELECT about FROM compared ORDER BY about DESC OFFSET greatest(by_meaning, 1) - 1 LIMIT 1
        )
        SELECT count(*), avg(about), stddev_pop(about), array_agg(hash) FILTER (
                   WHERE about >= coalesce((SELECT about FROM last), -2) - 0.0005)  -- the rest is less than that
            INTO id, measure, spread, near FROM compared;
        SELECT coalesce(array_agg(n.id ORDER BY n.cosine DESC, n.id), '{}') INTO others FROM (
            SELECT p.id, -(v.vector <#> query) - (v.vector <#> rest) AS cosine FROM passages p
            JOIN vectors v ON v.agent = who AND v.shelf = place AND v.model = space AND v.hash = p.hash
            WHERE p.agent = who AND p.shelf = place AND p.hash = ANY(near)
            ORDER BY cosine DESC, p.id LIMIT by_meaning) n;
        part := 'v';
        ids := others;
        RETURN NEXT;
    END IF;

    part := 'd';
    FOR nth IN 1 .. cardinality(since) LOOP
        SELECT coalesce(array_agg(d.id), '{}') INTO ids FROM (
            SELECT m.id FROM moments m
            WHERE m.agent = who AND m.shelf = place AND m.first <= until[nth] AND m.last >= since[nth]
            GROUP BY m.id ORDER BY max(m.first) DESC, m.id DESC LIMIT by_time) d;
        RETURN NEXT;
        others := others || ids;
    END LOOP;

    IF beside <> '{0,0}' THEN
        SELECT coalesce(array_agg(DISTINCT n), '{}') INTO ids
            FROM (SELECT unnest(worded), beside[1] UNION ALL SELECT unnest(others), beside[2]) a(one, reach)
            JOIN passages p ON p.agent = who AND p.shelf = place AND p.id = a.one AND p.turn <> '',
            generate_series(a.one - a.reach, a.one + a.reach) n;
        others := others || ids;
    END IF;
    RETURN QUERY SELECT 'p', p.id, -(v.vector <#> query) - (v.vector <#> rest), NULL::double precision,
            NULL::bigint[], p.path, p.line, p.kind, p.day, p.speaker, p.role, p.turn, p.memory, p.key, p.length,
            p.tells, p.figures, p.times
        FROM passages p
        LEFT JOIN vectors v ON query IS NOT NULL AND v.agent = who AND v.shelf = place AND v.model = space
            AND v.hash = p.hash
        WHERE p.agent = who AND p.shelf = place AND p.id = ANY(worded || others);
END $$;
GRANT EXECUTE ON FUNCTION candidates TO almario_app;
