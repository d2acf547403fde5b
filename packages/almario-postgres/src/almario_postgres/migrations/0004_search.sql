CREATE INDEX passages_that_ask ON passages(agent, shelf, id, length) WHERE NOT tells;

-- All that a search looks at, in one call. The rules of a search are not here (domain/candidates.py): this
-- brings what they will most likely ask for, and what is missing they ask for themselves.
--
-- A term of a word stands for all terms from itself up to its *till*; those of *spare* count where the index
-- has no other term of the word but in what only asks. *query* is the vector in halves, and *rest* what the
-- halves leave out. The best by their words are *worded*, if these are known.
--
-- Parts: `n` how many passages there are and words they have, `q` those that only ask and how many words
-- they have, `t` the ids under a term, `w` the best by words, `v` the nearest in meaning (and of all cosines
-- how many, mean and spread), `d` those of a time, `p` a passage and its cosine.
CREATE OR REPLACE FUNCTION candidates(
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
    asking bigint[];
    here int;
    known int[] := '{}';
    near bytea[];
    others bigint[] := '{}';
BEGIN
    SELECT coalesce(max(n.value) FILTER (WHERE n.name = 'passages'), 0),
           coalesce(max(n.value) FILTER (WHERE n.name = 'words'), 0)
        INTO id, measure FROM totals n WHERE n.agent = who AND n.shelf = place;
    part := 'n';
    RETURN NEXT;

    SELECT coalesce(array_agg(p.id), '{}'), coalesce(sum(p.length), 0) INTO asking, measure FROM passages p
        WHERE p.agent = who AND p.shelf = place AND NOT p.tells;
    total := id - cardinality(asking);
    part := 'q';
    ids := asking;
    RETURN NEXT;

    part := 't';
    FOR here, path, key, ids IN SELECT a.w, a.t, a.e, l.ids FROM unnest(word, term, till) a(w, t, e)
            JOIN terms l ON l.agent = who AND l.shelf = place AND l.term >= a.t AND l.term <= a.e LOOP
        IF here <> ALL(known) AND EXISTS (SELECT FROM unnest(ids) one
                JOIN passages p ON p.agent = who AND p.shelf = place AND p.id = one AND p.tells) THEN
            known := known || here;
        END IF;
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
            SELECT w, count(*) FILTER (WHERE q.one IS NULL) AS size
            FROM (SELECT DISTINCT w, t, one FROM listed, unnest(held) one) h
            LEFT JOIN unnest(asking) q(one) ON q.one = h.one GROUP BY w, t
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
