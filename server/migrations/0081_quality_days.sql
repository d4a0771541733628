CREATE TABLE "qc_review_days" (
	"day" date PRIMARY KEY NOT NULL,
	"version" uuid DEFAULT gen_random_uuid() NOT NULL,
	"columns" text NOT NULL
);
--> statement-breakpoint
DROP TABLE "qc_day_scores";--> statement-breakpoint
DROP TABLE "qc_summed_days";--> statement-breakpoint
DROP TABLE "qc_summed_weeks";--> statement-breakpoint
DROP TABLE "qc_week_reviews";--> statement-breakpoint
DROP TABLE "qc_week_scores";--> statement-breakpoint
DROP TABLE "qc_week_totals";--> statement-breakpoint
DROP INDEX "qc_reviews_agent";--> statement-breakpoint
DROP INDEX "qc_reviews_reviewer";--> statement-breakpoint
CREATE INDEX "qc_reviews_agent" ON "qc_reviews" USING btree ("agent_id","submitted_at","qc_review_id") WHERE "qc_reviews"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "qc_reviews_reviewer" ON "qc_reviews" USING btree ("reviewer_id","submitted_at","qc_review_id") WHERE "qc_reviews"."deleted_at" is null;