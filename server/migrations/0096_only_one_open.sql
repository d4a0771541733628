CREATE TABLE "sms_troubles" (
	"sms_trouble_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sms_troubles_sms_trouble_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"reason" text NOT NULL,
	"since" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"tried_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp(3) with time zone
);
--> statement-breakpoint
DROP INDEX "sms_messages_due";--> statement-breakpoint
ALTER TABLE "sms_messages" ADD COLUMN "urgent" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "sms_troubles_open" ON "sms_troubles" USING btree ((true)) WHERE "sms_troubles"."ended_at" is null;--> statement-breakpoint
UPDATE "sms_messages" m SET "urgent" = true FROM "sms_batches" b
  WHERE b."sms_batch_id" = m."sms_batch_id" AND m."status" = 'queued' AND (b."urgent" OR b."kind" <> 'message');--> statement-breakpoint
-- two that began at the same moment: the newer one goes on
UPDATE "own_backups" o SET "status" = 3, "error" = 'Another backup of Innkeeper began at the same moment' WHERE "status" IN (0, 1)
  AND "deleted_at" IS NULL AND EXISTS (SELECT FROM "own_backups" n WHERE n."own_backup_id" > o."own_backup_id" AND n."status" IN (0, 1)
    AND n."deleted_at" IS NULL);--> statement-breakpoint
UPDATE "qc_feedbacks" f SET "status" = 'closed', "answer" = 'The review was disputed twice at the same moment' WHERE "type" = 'dispute'
  AND "status" IN ('open', 'in-progress') AND EXISTS (SELECT FROM "qc_feedbacks" n WHERE n."review_id" = f."review_id"
    AND n."type" = 'dispute' AND n."status" IN ('open', 'in-progress') AND n."qc_feedback_id" < f."qc_feedback_id");--> statement-breakpoint
CREATE UNIQUE INDEX "own_backups_open" ON "own_backups" USING btree ((true)) WHERE "own_backups"."status" in (0, 1) and "own_backups"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "qc_feedbacks_dispute" ON "qc_feedbacks" USING btree ("review_id") WHERE "qc_feedbacks"."type" = 'dispute' and "qc_feedbacks"."status" in ('open', 'in-progress');--> statement-breakpoint
CREATE INDEX "sms_messages_due" ON "sms_messages" USING btree ("urgent" DESC NULLS LAST,"not_before","sms_message_id") WHERE "sms_messages"."status" = 'queued' and "sms_messages"."claimed_at" is null;