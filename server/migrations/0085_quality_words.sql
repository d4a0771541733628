CREATE TABLE "qc_words" (
	"conversation_id" integer PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"words" "tsvector" NOT NULL
);
--> statement-breakpoint
DROP INDEX "qc_messages_search";--> statement-breakpoint
ALTER TABLE "qc_words" ADD CONSTRAINT "qc_words_conversation_id_qc_conversations_qc_conversation_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."qc_conversations"("qc_conversation_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
-- collecting statistics of words reads every value, and searches do not depend on them
ALTER TABLE "qc_words" ALTER COLUMN "words" SET STATISTICS 0;--> statement-breakpoint
INSERT INTO qc_words (conversation_id, kind, words)
	SELECT c.qc_conversation_id, c.kind, CASE WHEN t.bytes < 900000 THEN array_to_tsvector(array(SELECT DISTINCT word FROM qc_messages m,
			unnest(tsvector_to_array(to_tsvector('simple', left(m.body, 20000)))) AS word
			WHERE m.conversation_id = c.qc_conversation_id AND m.removed_at IS NULL))
		ELSE array_to_tsvector(array(SELECT word FROM (
			SELECT word, sum(octet_length(word)) OVER (ORDER BY at, word) AS bytes FROM (
				SELECT word, min(m.qc_message_id) AS at FROM qc_messages m,
					unnest(tsvector_to_array(to_tsvector('simple', left(m.body, 20000)))) AS word
				WHERE m.conversation_id = c.qc_conversation_id AND m.removed_at IS NULL GROUP BY word) once) counted
			WHERE bytes < 900000)) END
	FROM qc_conversations c CROSS JOIN LATERAL (SELECT coalesce(sum(octet_length(left(m.body, 20000))), 0) AS bytes
		FROM qc_messages m WHERE m.conversation_id = c.qc_conversation_id) t;--> statement-breakpoint
CREATE INDEX "qc_words_chat" ON "qc_words" USING gin ("words") WHERE "qc_words"."kind" = 'chat';--> statement-breakpoint
CREATE INDEX "qc_words_ticket" ON "qc_words" USING gin ("words") WHERE "qc_words"."kind" = 'ticket';