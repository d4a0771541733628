CREATE INDEX "qc_conversations_source" ON "qc_conversations" USING btree ("source_id","kind","last_at","qc_conversation_id");--> statement-breakpoint
CREATE STATISTICS "qc_conversations_kinds" (mcv) ON "kind", "source_id" FROM "qc_conversations";
