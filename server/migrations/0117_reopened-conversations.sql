DROP INDEX "qc_reviews_unique";--> statement-breakpoint
ALTER TABLE "qc_conversations" ADD COLUMN "reopened_since" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "qc_feedbacks" ADD COLUMN "proposes" jsonb;--> statement-breakpoint
ALTER TABLE "qc_reviews" ADD COLUMN "since" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "qc_reviews" ADD COLUMN "agent_reason" text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "qc_reviews_unique_part" ON "qc_reviews" USING btree ("conversation_id","agent_id",coalesce("since", '-infinity'::timestamptz)) WHERE "qc_reviews"."deleted_at" is null;