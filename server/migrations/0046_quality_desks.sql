CREATE TABLE "qc_calibration_reviews" (
	"calibration_id" integer NOT NULL,
	"reviewer_id" integer NOT NULL,
	"submitted_at" timestamp(3) with time zone,
	"comment" text DEFAULT '' NOT NULL,
	"scores" jsonb DEFAULT '[]'::jsonb NOT NULL,
	CONSTRAINT "qc_calibration_reviews_calibration_id_reviewer_id_pk" PRIMARY KEY("calibration_id","reviewer_id")
);
--> statement-breakpoint
CREATE TABLE "qc_calibrations" (
	"qc_calibration_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "qc_calibrations_qc_calibration_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"conversation_id" integer NOT NULL,
	"kind" text NOT NULL,
	"title" text NOT NULL,
	"closed_at" timestamp(3) with time zone,
	"due_at" timestamp(3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "qc_summed_weeks" (
	"week" date PRIMARY KEY NOT NULL,
	"at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "qc_week_reviews" (
	"week" date NOT NULL,
	"kind" text NOT NULL,
	"population" text NOT NULL,
	"department_id" integer NOT NULL,
	"by" text NOT NULL,
	"person_id" integer NOT NULL,
	"n" integer NOT NULL,
	"sum" double precision NOT NULL,
	"squares" double precision NOT NULL,
	"without_score" integer NOT NULL,
	"failed" integer NOT NULL,
	"h0" integer NOT NULL,
	"h1" integer NOT NULL,
	"h2" integer NOT NULL,
	"h3" integer NOT NULL,
	"h4" integer NOT NULL,
	"h5" integer NOT NULL,
	"h6" integer NOT NULL,
	"h7" integer NOT NULL,
	"h8" integer NOT NULL,
	"h9" integer NOT NULL,
	CONSTRAINT "qc_week_reviews_by_week_kind_population_department_id_person_id_pk" PRIMARY KEY("by","week","kind","population","department_id","person_id")
);
--> statement-breakpoint
CREATE TABLE "qc_week_scores" (
	"week" date NOT NULL,
	"kind" text NOT NULL,
	"population" text NOT NULL,
	"department_id" integer NOT NULL,
	"reviewer_id" integer NOT NULL,
	"type_id" integer NOT NULL,
	"type_name" text NOT NULL,
	"position" integer NOT NULL,
	"n" integer NOT NULL,
	"sum" double precision NOT NULL,
	"squares" double precision NOT NULL,
	"not_applicable" integer NOT NULL,
	CONSTRAINT "qc_week_scores_week_type_id_kind_population_department_id_reviewer_id_pk" PRIMARY KEY("week","type_id","kind","population","department_id","reviewer_id")
);
--> statement-breakpoint
DROP INDEX "qc_conversations_reviewed";--> statement-breakpoint
DROP INDEX "qc_import_runs_of_source";--> statement-breakpoint
ALTER TABLE "qc_conversations" ADD COLUMN "redacted_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "qc_feedbacks" ADD COLUMN "due_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "qc_import_runs" ADD COLUMN "error" text;--> statement-breakpoint
ALTER TABLE "qc_sources" ADD COLUMN "type" text DEFAULT 'json' NOT NULL;--> statement-breakpoint
ALTER TABLE "qc_sources" ADD COLUMN "config" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "qc_sources" ADD COLUMN "cursor" text;--> statement-breakpoint
ALTER TABLE "qc_sources" ADD COLUMN "every_minutes" integer DEFAULT 10 NOT NULL;--> statement-breakpoint
ALTER TABLE "qc_sources" ADD COLUMN "last_pull_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "qc_queue_settings" ADD COLUMN "answer_days" integer DEFAULT 7 NOT NULL;--> statement-breakpoint
ALTER TABLE "qc_queue_settings" ADD COLUMN "retention_days" integer;--> statement-breakpoint
ALTER TABLE "qc_calibration_reviews" ADD CONSTRAINT "qc_calibration_reviews_calibration_id_qc_calibrations_qc_calibration_id_fk" FOREIGN KEY ("calibration_id") REFERENCES "public"."qc_calibrations"("qc_calibration_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "qc_calibration_reviews" ADD CONSTRAINT "qc_calibration_reviews_reviewer_id_users_user_id_fk" FOREIGN KEY ("reviewer_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "qc_calibrations" ADD CONSTRAINT "qc_calibrations_conversation_id_qc_conversations_qc_conversation_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."qc_conversations"("qc_conversation_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "qc_calibration_reviews_of_reviewer" ON "qc_calibration_reviews" USING btree ("reviewer_id");--> statement-breakpoint
CREATE INDEX "qc_calibrations_created" ON "qc_calibrations" USING btree ("created_at","qc_calibration_id");--> statement-breakpoint
CREATE INDEX "qc_calibrations_of_conversation" ON "qc_calibrations" USING btree ("conversation_id");--> statement-breakpoint
CREATE INDEX "qc_conversations_queue_messages" ON "qc_conversations" USING btree ("kind","messages","qc_conversation_id") WHERE "qc_conversations"."status" = 'queued';--> statement-breakpoint
CREATE INDEX "qc_conversations_archive_queued" ON "qc_conversations" USING btree ("kind","queued_at","qc_conversation_id") WHERE "qc_conversations"."status" <> 'queued' and "qc_conversations"."queued_at" is not null;--> statement-breakpoint
CREATE INDEX "qc_conversations_queue_score" ON "qc_conversations" USING btree ("kind","score","qc_conversation_id") WHERE "qc_conversations"."status" = 'queued' and "qc_conversations"."score" is not null;--> statement-breakpoint
CREATE INDEX "qc_conversations_queue_reviewed" ON "qc_conversations" USING btree ("kind","reviewed_at","qc_conversation_id") WHERE "qc_conversations"."status" = 'queued' and "qc_conversations"."reviewed_at" is not null;--> statement-breakpoint
CREATE INDEX "qc_conversations_imported" ON "qc_conversations" USING btree ("kind","last_at","qc_conversation_id") WHERE "qc_conversations"."status" = 'imported';--> statement-breakpoint
CREATE INDEX "qc_conversations_retention" ON "qc_conversations" USING btree ("kind","last_at") WHERE "qc_conversations"."redacted_at" is null;--> statement-breakpoint
CREATE INDEX "qc_conversations_held" ON "qc_conversations" USING btree ("holder_id") WHERE "qc_conversations"."holder_id" is not null;--> statement-breakpoint
CREATE INDEX "qc_escalations_of_kind" ON "qc_escalations" USING btree ("kind","created_at","qc_escalation_id");--> statement-breakpoint
CREATE INDEX "qc_escalations_search" ON "qc_escalations" USING gin (lower("reason") gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "qc_feedbacks_open" ON "qc_feedbacks" USING btree ("created_at","qc_feedback_id") WHERE "qc_feedbacks"."status" in ('open', 'in-progress');--> statement-breakpoint
CREATE INDEX "qc_feedbacks_of_review" ON "qc_feedbacks" USING btree ("review_id");--> statement-breakpoint
CREATE INDEX "qc_feedbacks_search" ON "qc_feedbacks" USING gin (lower("content") gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "qc_identities_name" ON "qc_identities" USING btree (lower("name"),"qc_identity_id");--> statement-breakpoint
CREATE INDEX "qc_identities_user" ON "qc_identities" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "qc_identities_search" ON "qc_identities" USING gin (lower("name" || ' ' || "identity") gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "qc_conversations_reviewed" ON "qc_conversations" USING btree ("kind","reviewed_at","qc_conversation_id") WHERE "qc_conversations"."reviewed_at" is not null;--> statement-breakpoint
CREATE INDEX "qc_import_runs_of_source" ON "qc_import_runs" USING btree ("source_id","started_at","qc_import_run_id");