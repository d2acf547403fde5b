"""SQL of every kind that might show or change what is another agent's.

In the texts `{theirs}` is the other agent's number, `{their_id}` its id, `{part}` the number of the part of a
table that it is in, `{proof}` what binds a connection to our agent, `{empty}` what would bind one to the
other's if the key were empty. Where nothing of theirs would show, `Zephyrine` stands for it.
"""

READS = {
    "all rows": "SELECT * FROM journal, turns",
    "by number": "SELECT convert_from(line, 'UTF8') FROM journal WHERE agent = {theirs}",
    "a condition that tells": "SELECT * FROM documents WHERE content::text LIKE '%' OR 1 = 1 / length(name)",
    "a condition that raises": "SELECT 1 FROM documents WHERE (convert_from(content, 'UTF8'))::int = 1",
    "a cheap function of ours": "CREATE FUNCTION pg_temp.leak(bytea) RETURNS boolean LANGUAGE plpgsql"
    " COST 0.0001 AS $$ BEGIN RAISE NOTICE '%', convert_from($1, 'UTF8'); RETURN true; END $$;"
    " SELECT * FROM documents WHERE pg_temp.leak(content)",
    "WITH": "WITH every AS MATERIALIZED (SELECT * FROM documents) SELECT * FROM every",
    "a join": "SELECT * FROM turns RIGHT JOIN generate_series(1, 50) AS some ON turns.agent = some",
    "UNION": "SELECT name FROM documents UNION SELECT file FROM versions UNION SELECT session FROM turns",
    "LATERAL": "SELECT * FROM agents, LATERAL (SELECT * FROM sessions WHERE agent = number) AS own",
    "an aggregate": "SELECT agent, string_agg(convert_from(content, 'UTF8'), ' ') FROM documents GROUP BY 1",
    "a window": "SELECT lag(content) OVER (ORDER BY agent) FROM documents",
    "TABLESAMPLE": "SELECT * FROM documents TABLESAMPLE SYSTEM (100)",
    "ONLY": "SELECT * FROM ONLY documents",
    "tableoid and ctid": "SELECT tableoid::regclass, ctid, * FROM journal",
    "a row by its place": "SELECT * FROM journal WHERE ctid = '(0,1)'",
    "the whole row as text": "SELECT j::text FROM journal AS j",
    "as JSON": "SELECT to_jsonb(d) FROM documents AS d",
    "as XML": "SELECT table_to_xml('almario.documents', true, false, '')",
    "the whole schema as XML": "SELECT schema_to_xml('almario', true, false, '')",
    "a query in a text": "SELECT query_to_xml('SELECT * FROM almario.documents', true, false, '')",
    "the directory": "SELECT * FROM agents",
    "who stands where": "SELECT * FROM standings",
    "COPY of a table": "COPY documents TO STDOUT",
    "COPY of a query": "COPY (SELECT * FROM turns) TO STDOUT",
    "COPY of a part": "COPY journal_{part} TO STDOUT",
    "COPY to a program": "COPY (SELECT 1) TO PROGRAM 'cat /etc/passwd'",
    "COPY to a file": "COPY documents TO '/tmp/almario-copied'",
    "a part of a table": "SELECT * FROM journal_{part}",
    "every part of a table": "SELECT * FROM documents_0, documents_1, documents_2, documents_3",
    "a cursor": "DECLARE own CURSOR FOR SELECT * FROM journal; FETCH ALL FROM own; MOVE ABSOLUTE 0 IN own",
    "a cursor WITH HOLD": "DECLARE kept CURSOR WITH HOLD FOR SELECT * FROM documents; FETCH ALL FROM kept",
    "a prepared statement": "PREPARE every AS SELECT * FROM documents; EXECUTE every; DEALLOCATE every",
    "EXPLAIN": "EXPLAIN (ANALYZE, VERBOSE, BUFFERS) SELECT * FROM documents WHERE agent = {theirs}",
    "EXPLAIN of values": "EXPLAIN (VERBOSE) SELECT * FROM turns WHERE stranger > 'A'",
    "DO": "DO $$ BEGIN RAISE NOTICE '%', (SELECT string_agg(name, ' ') FROM almario.documents); END $$",
    "DO that binds anew": "DO $$ BEGIN PERFORM set_config('almario.agent', '{theirs}', true);"
    " RAISE NOTICE '%', (SELECT string_agg(name || convert_from(content, 'UTF8'), ' ')"
    " FROM almario.documents); END $$",
    "another number": "SET LOCAL almario.agent = '{theirs}'; SELECT * FROM documents",
    "another number for the session": "SET almario.agent = '{theirs}'; SELECT * FROM documents",
    "the directory's number": "SET LOCAL almario.agent = '0'; SELECT * FROM agents; SELECT * FROM standings",
    "a number that is no number": "SET LOCAL almario.agent = '{theirs} OR true'; SELECT * FROM documents",
    "no number": "RESET almario.agent; RESET almario.proof; SELECT * FROM documents",
    "an empty proof": "SET LOCAL almario.agent = '{theirs}'; SET LOCAL almario.proof = ''; TABLE documents",
    "our proof for another": "SELECT set_config('almario.agent', '{theirs}', true),"
    " set_config('almario.proof', '{proof}', true); TABLE documents",
    "row security off": "SET LOCAL row_security = off; SELECT * FROM documents",
    "another role": "SET ROLE postgres; SELECT * FROM documents",
    "another user": "SET SESSION AUTHORIZATION postgres; SELECT * FROM documents",
    "no role": "RESET ROLE; RESET SESSION AUTHORIZATION; SELECT * FROM documents",
    "the application's role": "SET ROLE almario_app; SELECT * FROM documents",
    "the key": "SELECT encode(value, 'hex'), 'Zephyrine' FROM almario.secret",
    "a proof": "SELECT almario.proof_of('{theirs}') || 'Zephyrine'",
    "a search path of ours": "CREATE TEMP TABLE secret AS SELECT true AS only_one, ''::bytea AS value;"
    " SET LOCAL search_path = pg_temp, almario; SET LOCAL almario.agent = '{theirs}';"
    " SET LOCAL almario.proof = '{empty}'; SELECT * FROM almario.documents",
    "a function that shadows": "CREATE FUNCTION pg_temp.sha256(bytea) RETURNS bytea LANGUAGE sql AS"
    " $$ SELECT ''::bytea $$; SET LOCAL search_path = pg_temp; SET LOCAL almario.agent = '{theirs}';"
    " SET LOCAL almario.proof = ''; SELECT * FROM almario.documents",
    "an operator that shadows": "CREATE FUNCTION pg_temp.yes(bigint, bigint) RETURNS boolean LANGUAGE sql AS"
    " $$ SELECT true $$; CREATE OPERATOR pg_temp.= (LEFTARG = bigint, RIGHTARG = bigint,"
    " FUNCTION = pg_temp.yes); SET LOCAL search_path = pg_temp, pg_catalog;"
    " SELECT * FROM almario.documents",
    "a function WITH RIGHTS of another": "CREATE FUNCTION pg_temp.all() RETURNS SETOF almario.documents"
    " LANGUAGE sql SECURITY DEFINER AS 'SELECT * FROM almario.documents'; SELECT * FROM pg_temp.all()",
    "a view": "CREATE TEMP VIEW every WITH (security_barrier = false, security_invoker = false)"
    " AS SELECT * FROM almario.documents; SELECT * FROM every",
    "a temporary table": "CREATE TEMP TABLE own AS SELECT * FROM almario.journal; SELECT * FROM own",
    "a temporary part": "CREATE TEMP TABLE part PARTITION OF almario.journal FOR VALUES WITH"
    " (MODULUS 16, REMAINDER 1)",
    "statistics": "SELECT * FROM pg_stats WHERE schemaname = 'almario'",
    "statistics, as they lie": "SELECT * FROM pg_statistic",
    "extended statistics": "SELECT * FROM pg_stats_ext; SELECT * FROM pg_statistic_ext_data",
    "what others run": "SELECT query FROM pg_stat_activity",
    "what others lock": "SELECT * FROM pg_locks",
    "the catalog": "SELECT * FROM pg_class WHERE relnamespace = 'almario'::regnamespace",
    "passwords": "SELECT * FROM pg_authid",
    "mappings": "SELECT * FROM pg_user_mapping",
    "files of the server": "SELECT pg_read_file('PG_VERSION')",
    "files as bytes": "SELECT pg_read_binary_file(pg_relation_filepath('almario.journal_{part}'))",
    "folders of the server": "SELECT pg_ls_dir('base')",
    "the log": "SELECT * FROM pg_ls_logdir()",
    "large objects": "SELECT lo_import('/etc/passwd')",
    "large objects of others": "SELECT data FROM pg_largeobject",
    "a page of a table": "CREATE EXTENSION pageinspect; SELECT get_raw_page('almario.journal_{part}', 0)",
    "another database": "CREATE EXTENSION dblink; SELECT dblink_connect('dbname=postgres')",
    "a language that may do all": "CREATE EXTENSION plpython3u",
    "a replication slot": "SELECT pg_create_logical_replication_slot('theirs', 'test_decoding')",
    "a snapshot": "SELECT pg_export_snapshot()",
    "a lock on what is theirs": "SELECT * FROM documents WHERE agent = {theirs} FOR UPDATE",
    "LISTEN": "LISTEN almario",
}
WRITES = {
    "INSERT as another": "INSERT INTO documents(agent, name, folder, content, changed)"
    " VALUES ({theirs}, 'x', '', '', 0)",
    "INSERT over another's": "INSERT INTO documents(agent, name, folder, content, changed)"
    " VALUES ({theirs}, 'SOUL.md', '', '', 0) ON CONFLICT (agent, name) DO UPDATE SET content = 'x'"
    " RETURNING *",
    "a key that is taken": "INSERT INTO standings(agent) VALUES ({theirs})",
    "a name that is taken": "UPDATE agents SET id = '{their_id}'",
    "an id that is taken": "INSERT INTO agents(id) VALUES ('{their_id}')",
    "a number that is taken": "INSERT INTO agents(number, id) OVERRIDING SYSTEM VALUE VALUES ({theirs}, 'x')",
    "UPDATE of all": "UPDATE documents SET content = 'x' RETURNING *",
    "UPDATE of another's": "UPDATE documents SET content = 'x' WHERE agent = {theirs} RETURNING *",
    "UPDATE to another's": "UPDATE documents SET agent = {theirs}",
    "DELETE of all": "DELETE FROM turns RETURNING *",
    "DELETE of an agent": "DELETE FROM agents RETURNING *",
    "MERGE": "MERGE INTO documents USING (SELECT {theirs} AS agent) AS own ON documents.agent = own.agent"
    " WHEN MATCHED THEN UPDATE SET content = 'x'"
    " WHEN NOT MATCHED THEN INSERT (agent, name, folder, content, changed)"
    " VALUES (own.agent, 'y', '', '', 0)",
    "WITH that deletes": "WITH gone AS (DELETE FROM journal RETURNING *) SELECT * FROM gone",
    "a part of a table": "INSERT INTO journal_{part}(agent, seq, type, line) VALUES ({theirs}, 99, '', '')",
    "TRUNCATE": "TRUNCATE documents CASCADE",
    "DROP": "DROP TABLE journal CASCADE",
    "DROP of the schema": "DROP SCHEMA almario CASCADE",
    "DROP of the policies": "DROP POLICY own ON documents",
    "ALTER": "ALTER TABLE documents DISABLE ROW LEVEL SECURITY",
    "ALTER of the owner": "ALTER TABLE documents OWNER TO CURRENT_USER",
    "ALTER of the role": "ALTER ROLE CURRENT_USER BYPASSRLS",
    "ALTER of the settings": "ALTER ROLE almario_app SET row_security = off",
    "a policy": "CREATE POLICY all_of_it ON documents USING (true)",
    "a trigger": "CREATE TRIGGER leak BEFORE UPDATE ON documents FOR EACH ROW"
    " EXECUTE FUNCTION suppress_redundant_updates_trigger()",
    "a rule": "CREATE RULE leak AS ON UPDATE TO documents DO ALSO SELECT 1",
    "a table": "CREATE TABLE almario.mine(x int)",
    "a function": "CREATE FUNCTION almario.mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    "another me": "CREATE OR REPLACE FUNCTION almario.me() RETURNS bigint LANGUAGE sql AS 'SELECT {theirs}'",
    "an index": "CREATE INDEX leak ON documents(content)",
    "a foreign key": "CREATE TEMP TABLE probe(agent bigint REFERENCES almario.standings)",
    "inheriting": "CREATE TEMP TABLE heir() INHERITS (almario.documents)",
    "granting": "GRANT ALL ON documents TO PUBLIC",
    "VACUUM": "LOCK TABLE documents IN ACCESS EXCLUSIVE MODE NOWAIT",
    "COPY into another's": "COPY documents(agent, name, folder, content, changed) FROM PROGRAM 'echo'",
    "the steps": "DELETE FROM steps",
    "the key": "UPDATE secret SET value = ''",
    "dividing": "CALL divide('journal')",
    "guarding": "CALL guard('journal', 'true')",
}
