CREATE TABLE "qc_week_totals" (
	"week" date NOT NULL,
	"by" text NOT NULL,
	"person_id" integer NOT NULL,
	"type_id" integer NOT NULL,
	"type_name" text NOT NULL,
	"position" integer NOT NULL,
	"n" integer NOT NULL,
	"sum" double precision NOT NULL,
	"squares" double precision NOT NULL,
	"not_applicable" integer NOT NULL,
	CONSTRAINT "qc_week_totals_by_person_id_week_type_id_pk" PRIMARY KEY("by","person_id","week","type_id")
);
--> statement-breakpoint
DROP INDEX "qc_reviews_reviewer";--> statement-breakpoint
CREATE INDEX "qc_reviews_reviewer" ON "qc_reviews" USING btree ("reviewer_id","submitted_at","qc_review_id","agent_id","kind","population","department_id","score","is_failed") WHERE "qc_reviews"."deleted_at" is null;--> statement-breakpoint
ALTER TABLE "qc_week_scores" DROP CONSTRAINT "qc_week_scores_pk";
--> statement-breakpoint
ALTER TABLE "qc_week_scores" ADD CONSTRAINT "qc_week_scores_pk" PRIMARY KEY("by","kind","population","person_id","week","type_id","department_id");--> statement-breakpoint
-- weeks that were summed up have no totals yet: the worker sums them up again
DELETE FROM "qc_summed_weeks";
