-- Personal fields, notices, saved views and scores leave the action log (decision 118). New rows are written without them.
CREATE FUNCTION pg_temp.without_fields(value jsonb, fields text[]) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  CASE jsonb_typeof(value)
    WHEN 'array' THEN
      RETURN (SELECT coalesce(jsonb_agg(pg_temp.without_fields(one, fields) ORDER BY n), '[]')
        FROM jsonb_array_elements(value) WITH ORDINALITY AS a(one, n));
    WHEN 'object' THEN
      RETURN (SELECT coalesce(jsonb_object_agg(name, CASE WHEN name = ANY (fields) AND held NOT IN ('null', '""')
          AND jsonb_typeof(held) <> 'number' THEN '"(hidden)"'
          ELSE pg_temp.without_fields(held, fields) END), '{}') FROM jsonb_each(value) AS o(name, held));
    ELSE RETURN value;
  END CASE;
END $$;
--> statement-breakpoint
CREATE FUNCTION pg_temp.without_texts(value jsonb, key text) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  said text := value #>> '{}';
BEGIN
  CASE jsonb_typeof(value)
    WHEN 'string' THEN
      IF said = '' OR said ~ '^\(\d+ characters\)$' OR said ~ '^\d{4}-\d\d-\d\d(T[\d:.]{5,15}(Z|[+-]\d\d:?\d\d)?)?$'
        OR key IN ('kind', 'type', 'on', 'status', 'state', 'error') THEN
        RETURN value;
      END IF;
      RETURN to_jsonb('(' || length(said) || ' characters)');
    WHEN 'array' THEN
      RETURN (SELECT coalesce(jsonb_agg(pg_temp.without_texts(one, key) ORDER BY n), '[]')
        FROM jsonb_array_elements(value) WITH ORDINALITY AS a(one, n));
    WHEN 'object' THEN
      RETURN (SELECT coalesce(jsonb_object_agg(name, CASE WHEN name = 'name' AND value ? 'id' THEN held
          ELSE pg_temp.without_texts(held, name) END), '{}') FROM jsonb_each(value) AS o(name, held));
    ELSE RETURN value;
  END CASE;
END $$;
--> statement-breakpoint
-- an audit without its scores, as server/desk/scrums/view.ts logs audits
CREATE FUNCTION pg_temp.without_scores(value jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN jsonb_typeof(value) <> 'object' THEN value ELSE (SELECT coalesce(jsonb_object_agg(name,
    CASE WHEN name = ANY (ARRAY['id', 'name', 'user', 'auditor', 'periodStart', 'periodEnd', 'status', 'scored', 'actions', 'error'])
      AND jsonb_typeof(held) <> 'array' OR held IN ('null', '""', '[]') THEN held ELSE '"(hidden)"' END), '{}')
    FROM jsonb_each(value) AS o(name, held)) END
$$;
--> statement-breakpoint
CREATE TEMP TABLE personal_cut AS
  SELECT found.*, (row_number() OVER (ORDER BY id) - 1) / 1000 AS part, ''::text AS rest FROM (
    SELECT l.action_log_id AS id, l.before AS old_before, l.after AS old_after, l.subject AS old_subject,
      CASE WHEN l.service NOT IN ('notifications', 'views') THEN l.subject END AS subject,
      CASE WHEN l.service IN ('notifications', 'views') THEN pg_temp.without_texts(l.before, '')
        WHEN l.service = 'scrums' THEN pg_temp.without_scores(l.before)
        ELSE pg_temp.without_fields(l.before, fields) END AS before,
      CASE WHEN l.service IN ('notifications', 'views') THEN pg_temp.without_texts(l.after, '')
        WHEN l.service = 'scrums' THEN pg_temp.without_scores(l.after)
        ELSE pg_temp.without_fields(l.after, fields) END AS after
    FROM action_logs l, LATERAL (SELECT CASE l.service
          WHEN 'calendar' THEN ARRAY['content', 'note', 'message', 'description', 'balances', 'adjustments']
          WHEN 'employee' THEN ARRAY['phone', 'birthDate', 'email', 'balances', 'adjustments']
          WHEN 'profiles' THEN ARRAY['quietHours', 'deliveries']
          WHEN 'shifts' THEN ARRAY['note', 'message']
          WHEN 'sms' THEN ARRAY['body', 'to', 'number', 'note']
          WHEN 'users' THEN ARRAY['email'] ELSE '{}' END
      -- refusals named balances and wishes
      || CASE WHEN l.service IN ('calendar', 'shifts') AND l.result = 'failed' AND l.after ->> 'error' !~
          '^(internal error|The leave cannot be taken: |Conflicts of the plan: |Too few days left in |That month is closed)'
        THEN ARRAY['error'] ELSE '{}' END AS fields) f
    WHERE l.service IN ('calendar', 'employee', 'profiles', 'shifts', 'sms', 'users', 'notifications', 'views')
        AND coalesce(l.resource NOT IN ('template', 'national-event'), true)
      OR l.service = 'scrums' AND l.resource = 'audit'
  ) AS found
  WHERE (before, after, subject) IS DISTINCT FROM (old_before, old_after, old_subject);
--> statement-breakpoint
ALTER TABLE action_logs DISABLE TRIGGER action_logs_only_grow;
--> statement-breakpoint
UPDATE action_logs l SET subject = c.subject, before = c.before, after = c.after FROM personal_cut c WHERE c.id = l.action_log_id;
--> statement-breakpoint
ALTER TABLE action_logs ENABLE TRIGGER action_logs_only_grow;
--> statement-breakpoint
-- the text is that of server/kit/audit/seal.ts
UPDATE personal_cut c SET rest = encode(sha256(convert_to((jsonb_build_array(l.action_log_id, extract(epoch from l.at)::text, l.staff_id, l.staff_name,
    l.service, l.action, l.resource, l.resource_id, l.result, l.before, l.after, l.workflow_id, l.ip, l.request_id)
    || CASE WHEN l.subject IS NULL THEN '[]'::jsonb ELSE jsonb_build_array(l.subject) END)::text, 'UTF8')), 'hex')
  FROM action_logs l WHERE l.action_log_id = c.id;
--> statement-breakpoint
WITH made AS (
  INSERT INTO action_logs (staff_name, service, resource, action, result, after)
    SELECT 'Innkeeper', 'logs', 'action-log', 'remove-words', 'success', jsonb_build_object('part', part, 'rows', count(*), 'from', min(id),
      'to', max(id), 'digest', encode(sha256(convert_to(string_agg(id || ' ' || rest, E'\n' ORDER BY id), 'UTF8')), 'hex'))
    FROM personal_cut GROUP BY part ORDER BY part
    RETURNING action_log_id, (after ->> 'part')::bigint AS part
)
INSERT INTO action_log_cuts (action_log_id, record_id, rest)
  SELECT c.id, m.action_log_id, c.rest FROM personal_cut c JOIN made m ON m.part = c.part;
--> statement-breakpoint
DROP TABLE pg_temp.personal_cut;
--> statement-breakpoint
DROP FUNCTION pg_temp.without_fields(jsonb, text[]), pg_temp.without_texts(jsonb, text), pg_temp.without_scores(jsonb);
