-- What an agent keeps. Its number is the first column of every key: everything of one agent lies together.
-- Row-level security: a connection sees the agent that it is bound to, and nothing else.

CREATE EXTENSION IF NOT EXISTS vector;

-- So it is from PostgreSQL 15 on: nobody but its owner makes anything there.
DO $$ BEGIN
    REVOKE CREATE ON SCHEMA public FROM PUBLIC;
EXCEPTION WHEN insufficient_privilege OR invalid_schema_name THEN
    NULL;
END $$;

-- Who knows this may bind a connection to an agent. Only the owner of the schema may read it.
CREATE TABLE secret(only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one), value bytea NOT NULL);
INSERT INTO secret(value) SELECT sha256(convert_to(string_agg(gen_random_uuid()::text, ''), 'UTF8'))
    FROM generate_series(1, 4);

CREATE FUNCTION proof_of(agent text) RETURNS text LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp AS  -- a temporary table of the same name is not the one
$$ SELECT encode(sha256(value || sha256(value || convert_to(agent, 'UTF8'))), 'hex') FROM almario.secret $$;
REVOKE EXECUTE ON FUNCTION proof_of(text) FROM PUBLIC;

-- The agent that the connection is bound to: none without a proof. 0 is the directory of all agents.
CREATE FUNCTION me() RETURNS bigint LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    agent text := current_setting('almario.agent', true);
BEGIN
    IF agent ~ '^[0-9]{1,18}$' AND current_setting('almario.proof', true) = almario.proof_of(agent) THEN
        RETURN agent::bigint;
    END IF;
    RETURN NULL;
END $$;
GRANT EXECUTE ON FUNCTION me() TO almario_app;

-- Cuts a table into parts by agent.
CREATE PROCEDURE divide(divided text) LANGUAGE plpgsql AS $$
BEGIN
    FOR part IN 0..15 LOOP
        EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES WITH (MODULUS 16, REMAINDER %s)',
                       divided || '_' || part, divided, part);
    END LOOP;
END $$;
REVOKE EXECUTE ON PROCEDURE divide(text) FROM PUBLIC;

-- Lets the application use the rows of the agent that it is bound to.
CREATE PROCEDURE guard(guarded text, rule text DEFAULT 'agent = (SELECT almario.me())') LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', guarded);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', guarded);
    EXECUTE format('CREATE POLICY own ON %I USING (%s) WITH CHECK (%s)', guarded, rule, rule);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO almario_app', guarded);
END $$;
REVOKE EXECUTE ON PROCEDURE guard(text, text) FROM PUBLIC;

-- The directory: which agents there are. The only table that is asked across agents.
CREATE TABLE agents(
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text NOT NULL,
    trashed text NOT NULL DEFAULT '',
    is_made boolean NOT NULL DEFAULT false);
CREATE UNIQUE INDEX agents_by_id ON agents(lower(id), trashed);
CALL guard('agents', '(SELECT almario.me()) IN (0, number)');
CREATE POLICY made_by_the_directory ON agents AS RESTRICTIVE FOR INSERT WITH CHECK ((SELECT almario.me()) = 0);
CREATE POLICY changed_by_the_directory ON agents AS RESTRICTIVE FOR UPDATE USING ((SELECT almario.me()) = 0);
CREATE POLICY ended_by_the_directory ON agents AS RESTRICTIVE FOR DELETE USING ((SELECT almario.me()) = 0);

-- One row an agent, which a write locks: how many writes there were, by which marks the last ones are known
-- (newest first), and the first line whose text is not in its document yet.
CREATE TABLE standings(
    agent bigint PRIMARY KEY,
    wrote bigint NOT NULL DEFAULT 0,
    marks bytea NOT NULL DEFAULT '',
    owes bigint NOT NULL DEFAULT 0,
    is_gone boolean NOT NULL DEFAULT false) PARTITION BY HASH (agent);  -- removed: nobody writes in it
CALL divide('standings');
INSERT INTO standings(agent) VALUES (0);  -- the directory's: agents come and go one at a time
CALL guard('standings', '(SELECT almario.me()) IN (0, agent)');

CREATE TABLE journal(
    agent bigint NOT NULL, seq bigint NOT NULL, type text NOT NULL, line bytea NOT NULL,
    PRIMARY KEY (agent, seq)) PARTITION BY HASH (agent);
CREATE INDEX journal_by_type ON journal(agent, type text_pattern_ops, seq);
CALL divide('journal');
CALL guard('journal');

CREATE TABLE documents(
    agent bigint NOT NULL, name text NOT NULL, folder text NOT NULL, content bytea NOT NULL,
    changed bigint NOT NULL,
    PRIMARY KEY (agent, name)) PARTITION BY HASH (agent);
CREATE INDEX documents_by_folder ON documents(agent, folder);
CALL divide('documents');
CALL guard('documents');

-- What was added to a document that only grows, at any time and by anyone.
CREATE TABLE lines(
    agent bigint NOT NULL, name text NOT NULL, at timestamptz NOT NULL DEFAULT clock_timestamp(),
    id uuid NOT NULL DEFAULT gen_random_uuid(), line bytea NOT NULL,
    PRIMARY KEY (agent, name, at, id)) PARTITION BY HASH (agent);
CALL divide('lines');
CALL guard('lines');

CREATE TABLE versions(
    agent bigint NOT NULL, file text NOT NULL, hash text NOT NULL, content bytea NOT NULL,
    PRIMARY KEY (agent, file, hash)) PARTITION BY HASH (agent);
CALL divide('versions');
CALL guard('versions');

CREATE TABLE sessions(
    agent bigint NOT NULL, session text NOT NULL, last bigint NOT NULL DEFAULT 0,
    archived bigint NOT NULL DEFAULT 0, changed bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (agent, session)) PARTITION BY HASH (agent);
CALL divide('sessions');
CALL guard('sessions');

CREATE TABLE turns(
    agent bigint NOT NULL, session text NOT NULL, n bigint NOT NULL, line bytea NOT NULL,
    stranger text,  -- who spoke, if that was somebody else than the owner
    PRIMARY KEY (agent, session, n)) PARTITION BY HASH (agent);
CREATE INDEX turns_by_stranger ON turns(agent, session, stranger) WHERE stranger IS NOT NULL;
CALL divide('turns');
CALL guard('turns');

-- Who does a background job; the fence grows with each holder.
CREATE TABLE leases(
    agent bigint NOT NULL, job text NOT NULL, holder text NOT NULL DEFAULT '', fence bigint NOT NULL DEFAULT 0,
    until timestamptz NOT NULL DEFAULT '-infinity',
    PRIMARY KEY (agent, job)) PARTITION BY HASH (agent);
CALL divide('leases');
CALL guard('leases');
