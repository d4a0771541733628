CREATE TABLE "action_log_cuts" (
	"action_log_id" bigint PRIMARY KEY NOT NULL,
	"record_id" bigint NOT NULL,
	"rest" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "action_log_cuts" ADD CONSTRAINT "action_log_cuts_action_log_id_action_logs_action_log_id_fk" FOREIGN KEY ("action_log_id") REFERENCES "public"."action_logs"("action_log_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "action_log_cuts" ADD CONSTRAINT "action_log_cuts_record_id_action_logs_action_log_id_fk" FOREIGN KEY ("record_id") REFERENCES "public"."action_logs"("action_log_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "action_log_cuts_record" ON "action_log_cuts" USING btree ("record_id","action_log_id");--> statement-breakpoint
CREATE TRIGGER action_log_cuts_only_grow BEFORE UPDATE OR DELETE ON action_log_cuts
  FOR EACH ROW EXECUTE FUNCTION action_logs_only_grow();
--> statement-breakpoint
CREATE TRIGGER action_log_cuts_not_emptied BEFORE TRUNCATE ON action_log_cuts
  FOR EACH STATEMENT EXECUTE FUNCTION action_logs_only_grow();
--> statement-breakpoint
-- The words of conversations and dossiers leave the action log (decision 118). New rows are written without them.
CREATE FUNCTION pg_temp.without_words(value jsonb, key text, shown text[]) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  said text := value #>> '{}';
BEGIN
  CASE jsonb_typeof(value)
    WHEN 'string' THEN
      IF said = '' OR said ~ '^\(\d+ characters\)$' OR said ~ '^\d{4}-\d\d-\d\d(T[\d:.]{5,15}(Z|[+-]\d\d:?\d\d)?)?$'
        OR (key = ANY (shown) AND said NOT LIKE '% was changed by somebody else meanwhile') THEN
        RETURN value;
      END IF;
      RETURN to_jsonb('(' || length(said) || ' characters)');
    WHEN 'array' THEN
      RETURN (SELECT coalesce(jsonb_agg(pg_temp.without_words(one, key, shown) ORDER BY n), '[]')
        FROM jsonb_array_elements(value) WITH ORDINALITY AS a(one, n));
    WHEN 'object' THEN
      RETURN (SELECT coalesce(jsonb_object_agg(name, CASE WHEN name = 'name' AND value ? 'id' THEN held
          ELSE pg_temp.without_words(held, name, shown) END), '{}') FROM jsonb_each(value) AS o(name, held));
    ELSE RETURN value;
  END CASE;
END $$;
--> statement-breakpoint
CREATE TEMP TABLE words_cut AS
  SELECT found.*, (row_number() OVER (ORDER BY id) - 1) / 1000 AS part, ''::text AS rest FROM (
    SELECT l.action_log_id AS id, l.before AS old_before, l.after AS old_after, l.subject AS old_subject,
      CASE WHEN l.service NOT IN ('qa', 'qcMine') OR l.action = 'look'
        OR (l.resource = 'manager' AND coalesce(l.after, l.before) ?| ARRAY['config', 'identity']) THEN l.subject END AS subject,
      pg_temp.without_words(l.before, '', shown) AS before, pg_temp.without_words(l.after, '', shown) AS after
    FROM action_logs l, LATERAL (SELECT ARRAY['kind', 'type', 'on', 'status', 'state', 'priority', 'origin', 'outcome', 'population',
        'visibility', 'category', 'queuedBy', 'conversationKind', 'externalId', 'mergedInto', 'sourceName', 'departmentName', 'typeName',
        'gradeName', 'colour', 'team', 'position', 'subjectName', 'error']
      -- the row of an erased dossier says why
      || CASE WHEN l.service = 'dossier' AND l.resource = 'dossier' THEN ARRAY['reason'] ELSE '{}' END
      -- sources and agents of quality
      || CASE WHEN l.resource = 'manager' THEN ARRAY['name', 'url', 'user', 'queue', 'identity', 'cursor'] ELSE '{}' END AS shown) s
    WHERE (l.service = 'qa' AND l.resource IN ('chat', 'ticket', 'comment', 'note', 'escalation', 'feedback', 'calibration', 'manager'))
      OR (l.service = 'dossier' AND l.resource IN ('user', 'dossier', 'comment', 'chat-comment', 'ticket-comment', 'feedback', 'talk'))
      OR l.service IN ('qcMine', 'dossiers')
  ) AS found
  WHERE (before, after, subject) IS DISTINCT FROM (old_before, old_after, old_subject);
--> statement-breakpoint
ALTER TABLE action_logs DISABLE TRIGGER action_logs_only_grow;
--> statement-breakpoint
UPDATE action_logs l SET subject = c.subject, before = c.before, after = c.after FROM words_cut c WHERE c.id = l.action_log_id;
--> statement-breakpoint
ALTER TABLE action_logs ENABLE TRIGGER action_logs_only_grow;
--> statement-breakpoint
-- the text is that of server/kit/audit/seal.ts
UPDATE words_cut c SET rest = encode(sha256(convert_to((jsonb_build_array(l.action_log_id, extract(epoch from l.at)::text, l.staff_id, l.staff_name,
    l.service, l.action, l.resource, l.resource_id, l.result, l.before, l.after, l.workflow_id, l.ip, l.request_id)
    || CASE WHEN l.subject IS NULL THEN '[]'::jsonb ELSE jsonb_build_array(l.subject) END)::text, 'UTF8')), 'hex')
  FROM action_logs l WHERE l.action_log_id = c.id;
--> statement-breakpoint
WITH made AS (
  INSERT INTO action_logs (staff_name, service, resource, action, result, after)
    SELECT 'Innkeeper', 'logs', 'action-log', 'remove-words', 'success', jsonb_build_object('part', part, 'rows', count(*), 'from', min(id),
      'to', max(id), 'digest', encode(sha256(convert_to(string_agg(id || ' ' || rest, E'\n' ORDER BY id), 'UTF8')), 'hex'))
    FROM words_cut GROUP BY part ORDER BY part
    RETURNING action_log_id, (after ->> 'part')::bigint AS part
)
INSERT INTO action_log_cuts (action_log_id, record_id, rest)
  SELECT c.id, m.action_log_id, c.rest FROM words_cut c JOIN made m ON m.part = c.part;
--> statement-breakpoint
DROP TABLE words_cut;
--> statement-breakpoint
DROP FUNCTION pg_temp.without_words(jsonb, text, text[]);
--> statement-breakpoint
-- Notifications quoted escalations, assignments and titles of calibrations. New ones say what they are about.
UPDATE notifications SET body = 'Open it to read more.' WHERE reason = 'quality'
  AND (link LIKE '/qc-v2/%-escalations/%' OR link LIKE '/qc-v2/chats/queue%' OR link LIKE '/qc-v2/tickets/queue%');
--> statement-breakpoint
UPDATE notifications SET title = 'A calibration' WHERE reason = 'quality' AND link LIKE '/qc-v2/calibrations/%';
--> statement-breakpoint
-- Conversations that were emptied before: what staff wrote about them leaves, too.
CREATE TEMP TABLE emptied AS SELECT qc_conversation_id AS id FROM qc_conversations WHERE redacted_at IS NOT NULL;
--> statement-breakpoint
CREATE TEMP TABLE emptied_reviews AS SELECT qc_review_id AS id FROM qc_reviews WHERE conversation_id IN (SELECT id FROM emptied);
--> statement-breakpoint
CREATE FUNCTION pg_temp.without_comments(review jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT review || jsonb_build_object('comment', '', 'scores', (SELECT coalesce(jsonb_agg(one || '{"comment": ""}' ORDER BY n), '[]')
    FROM jsonb_array_elements(CASE WHEN jsonb_typeof(review -> 'scores') = 'array' THEN review -> 'scores' ELSE '[]' END)
      WITH ORDINALITY AS s(one, n)))
$$;
--> statement-breakpoint
UPDATE qc_conversations SET assign_reason = NULL WHERE redacted_at IS NOT NULL AND assign_reason IS NOT NULL;
--> statement-breakpoint
UPDATE qc_comment_edits SET content = '[removed]' WHERE comment_id IN
  (SELECT qc_comment_id FROM qc_comments WHERE conversation_id IN (SELECT id FROM emptied));
--> statement-breakpoint
UPDATE qc_comments SET content = '[removed]' WHERE conversation_id IN (SELECT id FROM emptied);
--> statement-breakpoint
UPDATE qc_reviews SET comment = '[removed]' WHERE comment <> '' AND qc_review_id IN (SELECT id FROM emptied_reviews);
--> statement-breakpoint
UPDATE qc_scores SET comment = '[removed]' WHERE comment <> '' AND review_id IN (SELECT id FROM emptied_reviews);
--> statement-breakpoint
UPDATE qc_review_edits SET before = pg_temp.without_comments(before) WHERE review_id IN (SELECT id FROM emptied_reviews);
--> statement-breakpoint
UPDATE qc_drafts SET content = pg_temp.without_comments(content) WHERE conversation_id IN (SELECT id FROM emptied);
--> statement-breakpoint
UPDATE qc_escalations SET reason = '[removed]', description = CASE WHEN description = '' THEN '' ELSE '[removed]' END
  WHERE conversation_id IN (SELECT id FROM emptied);
--> statement-breakpoint
UPDATE qc_feedbacks SET content = '[removed]', answer = CASE WHEN answer = '' THEN '' ELSE '[removed]' END
  WHERE conversation_id IN (SELECT id FROM emptied);
--> statement-breakpoint
UPDATE qc_calibration_reviews r SET comment = CASE WHEN comment = '' THEN '' ELSE '[removed]' END,
    scores = pg_temp.without_comments(jsonb_build_object('scores', scores)) -> 'scores'
  WHERE calibration_id IN (SELECT qc_calibration_id FROM qc_calibrations WHERE conversation_id IN (SELECT id FROM emptied));
--> statement-breakpoint
UPDATE qc_calibrations SET title = '[removed]' WHERE conversation_id IN (SELECT id FROM emptied);
--> statement-breakpoint
DROP FUNCTION pg_temp.without_comments(jsonb);
--> statement-breakpoint
DROP TABLE emptied, emptied_reviews;
