CREATE TABLE "qc_conversations" (
	"qc_conversation_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "qc_conversations_qc_conversation_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"source_id" integer NOT NULL,
	"external_id" text NOT NULL,
	"digest" text NOT NULL,
	"subject" text NOT NULL,
	"customer_name" text NOT NULL,
	"customer_email" text NOT NULL,
	"agent_id" integer,
	"agent_ids" integer[] NOT NULL,
	"department_id" integer,
	"started_at" timestamp(3) with time zone NOT NULL,
	"last_at" timestamp(3) with time zone NOT NULL,
	"messages" integer NOT NULL,
	"csat" smallint,
	"tag_ids" integer[] DEFAULT '{}' NOT NULL,
	"status" text NOT NULL,
	"queued_at" timestamp(3) with time zone,
	"queued_by" text,
	"holder_id" integer,
	"holds_until" timestamp(3) with time zone,
	"assignee_id" integer,
	"assign_reason" text,
	"postponed_by" integer,
	"postponed_until" timestamp(3) with time zone,
	"score" double precision,
	"reviewed_at" timestamp(3) with time zone,
	"reviewed_by" integer,
	"merged_into_id" integer,
	"gone_at" timestamp(3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "qc_messages" (
	"qc_message_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "qc_messages_qc_message_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"conversation_id" integer NOT NULL,
	"external_id" text NOT NULL,
	"at" timestamp(3) with time zone NOT NULL,
	"kind" text NOT NULL,
	"role" text NOT NULL,
	"author" text NOT NULL,
	"user_id" integer,
	"body" text NOT NULL,
	"edited_at" timestamp(3) with time zone,
	"removed_at" timestamp(3) with time zone,
	"files" jsonb DEFAULT '[]'::jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "qc_escalations" (
	"qc_escalation_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "qc_escalations_qc_escalation_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"conversation_id" integer NOT NULL,
	"agent_ids" integer[] NOT NULL,
	"reason" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"priority" text DEFAULT 'medium' NOT NULL,
	"status" text DEFAULT 'open' NOT NULL,
	"assignee_id" integer,
	"due_at" timestamp(3) with time zone,
	"reviewed_at" timestamp(3) with time zone,
	"reviewed_by" integer,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "qc_feedbacks" (
	"qc_feedback_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "qc_feedbacks_qc_feedback_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"conversation_id" integer NOT NULL,
	"review_id" integer,
	"agent_id" integer,
	"type" text DEFAULT 'feedback' NOT NULL,
	"origin" text DEFAULT 'reviewer' NOT NULL,
	"content" text NOT NULL,
	"status" text DEFAULT 'open' NOT NULL,
	"outcome" text,
	"answer" text DEFAULT '' NOT NULL,
	"answered_at" timestamp(3) with time zone,
	"answered_by" integer,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "qc_identities" (
	"qc_identity_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "qc_identities_qc_identity_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"source_id" integer NOT NULL,
	"identity" text NOT NULL,
	"name" text NOT NULL,
	"user_id" integer,
	"seen_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "qc_import_runs" (
	"qc_import_run_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "qc_import_runs_qc_import_run_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"source_id" integer NOT NULL,
	"via" text NOT NULL,
	"started_at" timestamp(3) with time zone NOT NULL,
	"ended_at" timestamp(3) with time zone NOT NULL,
	"started_by" integer,
	"lines" integer NOT NULL,
	"added" integer NOT NULL,
	"changed" integer NOT NULL,
	"unchanged" integer NOT NULL,
	"refused" integer NOT NULL,
	"problems" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "qc_sources" (
	"qc_source_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "qc_sources_qc_source_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"last_import_at" timestamp(3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE TABLE "qc_drafts" (
	"conversation_id" integer NOT NULL,
	"reviewer_id" integer NOT NULL,
	"content" jsonb NOT NULL,
	"saved_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "qc_drafts_conversation_id_reviewer_id_pk" PRIMARY KEY("conversation_id","reviewer_id")
);
--> statement-breakpoint
CREATE TABLE "qc_review_edits" (
	"qc_review_edit_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "qc_review_edits_qc_review_edit_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"review_id" integer NOT NULL,
	"at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"by" integer NOT NULL,
	"before" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "qc_reviews" (
	"qc_review_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "qc_reviews_qc_review_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"conversation_id" integer NOT NULL,
	"kind" text NOT NULL,
	"agent_id" integer NOT NULL,
	"reviewer_id" integer NOT NULL,
	"department_id" integer,
	"population" text NOT NULL,
	"score" double precision,
	"is_failed" boolean DEFAULT false NOT NULL,
	"comment" text DEFAULT '' NOT NULL,
	"tag_ids" integer[] DEFAULT '{}' NOT NULL,
	"submitted_at" timestamp(3) with time zone NOT NULL,
	"stats_sent_at" timestamp(3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE TABLE "qc_scores" (
	"review_id" integer NOT NULL,
	"type_id" integer NOT NULL,
	"type_name" text NOT NULL,
	"weight" integer NOT NULL,
	"is_critical" boolean NOT NULL,
	"grade_id" integer,
	"grade_name" text,
	"value" integer,
	"comment" text DEFAULT '' NOT NULL,
	"evidence" integer[] DEFAULT '{}' NOT NULL,
	"position" integer NOT NULL,
	CONSTRAINT "qc_scores_review_id_type_id_pk" PRIMARY KEY("review_id","type_id")
);
--> statement-breakpoint
CREATE TABLE "qc_cron_filters" (
	"qc_cron_filter_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "qc_cron_filters_qc_cron_filter_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"value" text NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"every_minutes" integer DEFAULT 60 NOT NULL,
	"per_agent" integer,
	"last_run_at" timestamp(3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE TABLE "qc_cron_runs" (
	"qc_cron_run_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "qc_cron_runs_qc_cron_run_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"filter_id" integer NOT NULL,
	"at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"matched" integer NOT NULL,
	"queued" integer NOT NULL,
	"capped" integer NOT NULL,
	"error" text
);
--> statement-breakpoint
CREATE TABLE "qc_queue_settings" (
	"kind" text PRIMARY KEY NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"mode" text NOT NULL,
	"quota" integer NOT NULL,
	"period" text NOT NULL,
	"min_messages" integer NOT NULL,
	"new_factor" double precision NOT NULL,
	"low_factor" double precision NOT NULL,
	"low_score" integer NOT NULL,
	"lease_minutes" integer NOT NULL,
	"postpone_days" integer NOT NULL,
	"dispute_days" integer NOT NULL,
	"minimum_n" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "qc_score_grades" (
	"qc_score_grade_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "qc_score_grades_qc_score_grade_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"value" integer NOT NULL,
	"colour" text DEFAULT 'secondary' NOT NULL,
	"needs_comment" boolean DEFAULT false NOT NULL,
	"position" integer DEFAULT 0 NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "qc_score_types" (
	"qc_score_type_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "qc_score_types_qc_score_type_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"weight" integer NOT NULL,
	"is_critical" boolean DEFAULT false NOT NULL,
	"may_be_na" boolean DEFAULT true NOT NULL,
	"used_for" text DEFAULT 'all' NOT NULL,
	"position" integer DEFAULT 0 NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"grade_ids" integer[] NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "qc_tags" (
	"qc_tag_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "qc_tags_qc_tag_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"colour" text DEFAULT 'secondary' NOT NULL,
	"used_for" text DEFAULT 'all' NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE TABLE "qc_comment_edits" (
	"qc_comment_edit_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "qc_comment_edits_qc_comment_edit_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"comment_id" integer NOT NULL,
	"at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"by" integer NOT NULL,
	"content" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "qc_comments" (
	"qc_comment_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "qc_comments_qc_comment_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"type" text NOT NULL,
	"subject" text NOT NULL,
	"subject_id" integer NOT NULL,
	"conversation_id" integer,
	"content" text NOT NULL,
	"mentions" integer[] DEFAULT '{}' NOT NULL,
	"edited_at" timestamp(3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp(3) with time zone
);
--> statement-breakpoint
ALTER TABLE "qc_conversations" ADD CONSTRAINT "qc_conversations_source_id_qc_sources_qc_source_id_fk" FOREIGN KEY ("source_id") REFERENCES "public"."qc_sources"("qc_source_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "qc_conversations" ADD CONSTRAINT "qc_conversations_agent_id_users_user_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "qc_conversations" ADD CONSTRAINT "qc_conversations_department_id_departments_department_id_fk" FOREIGN KEY ("department_id") REFERENCES "public"."departments"("department_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "qc_conversations" ADD CONSTRAINT "qc_conversations_holder_id_users_user_id_fk" FOREIGN KEY ("holder_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "qc_conversations" ADD CONSTRAINT "qc_conversations_assignee_id_users_user_id_fk" FOREIGN KEY ("assignee_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "qc_conversations" ADD CONSTRAINT "qc_conversations_postponed_by_users_user_id_fk" FOREIGN KEY ("postponed_by") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "qc_conversations" ADD CONSTRAINT "qc_conversations_reviewed_by_users_user_id_fk" FOREIGN KEY ("reviewed_by") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "qc_messages" ADD CONSTRAINT "qc_messages_conversation_id_qc_conversations_qc_conversation_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."qc_conversations"("qc_conversation_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "qc_messages" ADD CONSTRAINT "qc_messages_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "qc_escalations" ADD CONSTRAINT "qc_escalations_conversation_id_qc_conversations_qc_conversation_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."qc_conversations"("qc_conversation_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "qc_escalations" ADD CONSTRAINT "qc_escalations_assignee_id_users_user_id_fk" FOREIGN KEY ("assignee_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "qc_feedbacks" ADD CONSTRAINT "qc_feedbacks_conversation_id_qc_conversations_qc_conversation_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."qc_conversations"("qc_conversation_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "qc_feedbacks" ADD CONSTRAINT "qc_feedbacks_review_id_qc_reviews_qc_review_id_fk" FOREIGN KEY ("review_id") REFERENCES "public"."qc_reviews"("qc_review_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "qc_feedbacks" ADD CONSTRAINT "qc_feedbacks_agent_id_users_user_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "qc_identities" ADD CONSTRAINT "qc_identities_source_id_qc_sources_qc_source_id_fk" FOREIGN KEY ("source_id") REFERENCES "public"."qc_sources"("qc_source_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "qc_identities" ADD CONSTRAINT "qc_identities_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "qc_import_runs" ADD CONSTRAINT "qc_import_runs_source_id_qc_sources_qc_source_id_fk" FOREIGN KEY ("source_id") REFERENCES "public"."qc_sources"("qc_source_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "qc_drafts" ADD CONSTRAINT "qc_drafts_conversation_id_qc_conversations_qc_conversation_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."qc_conversations"("qc_conversation_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "qc_drafts" ADD CONSTRAINT "qc_drafts_reviewer_id_users_user_id_fk" FOREIGN KEY ("reviewer_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "qc_review_edits" ADD CONSTRAINT "qc_review_edits_review_id_qc_reviews_qc_review_id_fk" FOREIGN KEY ("review_id") REFERENCES "public"."qc_reviews"("qc_review_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "qc_reviews" ADD CONSTRAINT "qc_reviews_conversation_id_qc_conversations_qc_conversation_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."qc_conversations"("qc_conversation_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "qc_reviews" ADD CONSTRAINT "qc_reviews_agent_id_users_user_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "qc_reviews" ADD CONSTRAINT "qc_reviews_reviewer_id_users_user_id_fk" FOREIGN KEY ("reviewer_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "qc_scores" ADD CONSTRAINT "qc_scores_review_id_qc_reviews_qc_review_id_fk" FOREIGN KEY ("review_id") REFERENCES "public"."qc_reviews"("qc_review_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "qc_cron_runs" ADD CONSTRAINT "qc_cron_runs_filter_id_qc_cron_filters_qc_cron_filter_id_fk" FOREIGN KEY ("filter_id") REFERENCES "public"."qc_cron_filters"("qc_cron_filter_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "qc_comment_edits" ADD CONSTRAINT "qc_comment_edits_comment_id_qc_comments_qc_comment_id_fk" FOREIGN KEY ("comment_id") REFERENCES "public"."qc_comments"("qc_comment_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "qc_comments" ADD CONSTRAINT "qc_comments_conversation_id_qc_conversations_qc_conversation_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."qc_conversations"("qc_conversation_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "qc_conversations_external" ON "qc_conversations" USING btree ("source_id","kind","external_id");--> statement-breakpoint
CREATE INDEX "qc_conversations_queue" ON "qc_conversations" USING btree ("kind","queued_at","qc_conversation_id") WHERE "qc_conversations"."status" = 'queued';--> statement-breakpoint
CREATE INDEX "qc_conversations_queue_last" ON "qc_conversations" USING btree ("kind","last_at","qc_conversation_id") WHERE "qc_conversations"."status" = 'queued';--> statement-breakpoint
CREATE INDEX "qc_conversations_archive" ON "qc_conversations" USING btree ("kind","last_at","qc_conversation_id") WHERE "qc_conversations"."status" <> 'queued';--> statement-breakpoint
CREATE INDEX "qc_conversations_all" ON "qc_conversations" USING btree ("kind","last_at","qc_conversation_id");--> statement-breakpoint
CREATE INDEX "qc_conversations_agent" ON "qc_conversations" USING btree ("agent_id","kind","last_at","qc_conversation_id");--> statement-breakpoint
CREATE INDEX "qc_conversations_department" ON "qc_conversations" USING btree ("department_id","kind","last_at","qc_conversation_id");--> statement-breakpoint
CREATE INDEX "qc_conversations_score" ON "qc_conversations" USING btree ("kind","score","qc_conversation_id") WHERE "qc_conversations"."score" is not null;--> statement-breakpoint
CREATE INDEX "qc_conversations_reviewed" ON "qc_conversations" USING btree ("kind","reviewed_at","qc_conversation_id") WHERE "qc_conversations"."status" = 'reviewed';--> statement-breakpoint
CREATE INDEX "qc_conversations_messages" ON "qc_conversations" USING btree ("kind","messages","qc_conversation_id");--> statement-breakpoint
CREATE INDEX "qc_conversations_postponed" ON "qc_conversations" USING btree ("postponed_by") WHERE "qc_conversations"."postponed_by" is not null;--> statement-breakpoint
CREATE INDEX "qc_conversations_assigned" ON "qc_conversations" USING btree ("assignee_id") WHERE "qc_conversations"."assignee_id" is not null;--> statement-breakpoint
CREATE INDEX "qc_conversations_tags" ON "qc_conversations" USING gin ("tag_ids");--> statement-breakpoint
CREATE INDEX "qc_conversations_customer" ON "qc_conversations" USING btree (lower("customer_email"));--> statement-breakpoint
CREATE INDEX "qc_conversations_search" ON "qc_conversations" USING gin (lower("subject" || ' ' || "customer_name" || ' ' || "customer_email" || ' ' || "external_id") gin_trgm_ops);--> statement-breakpoint
CREATE UNIQUE INDEX "qc_messages_external" ON "qc_messages" USING btree ("conversation_id","external_id");--> statement-breakpoint
CREATE INDEX "qc_messages_in_order" ON "qc_messages" USING btree ("conversation_id","at","qc_message_id");--> statement-breakpoint
CREATE INDEX "qc_messages_search" ON "qc_messages" USING gin (to_tsvector('simple', left("body", 20000)));--> statement-breakpoint
CREATE UNIQUE INDEX "qc_escalations_unique" ON "qc_escalations" USING btree ("conversation_id") WHERE "qc_escalations"."status" <> 'reviewed';--> statement-breakpoint
CREATE INDEX "qc_escalations_created" ON "qc_escalations" USING btree ("created_at","qc_escalation_id");--> statement-breakpoint
CREATE INDEX "qc_escalations_open" ON "qc_escalations" USING btree ("kind","created_at","qc_escalation_id") WHERE "qc_escalations"."status" <> 'reviewed';--> statement-breakpoint
CREATE INDEX "qc_escalations_of_conversation" ON "qc_escalations" USING btree ("conversation_id");--> statement-breakpoint
CREATE INDEX "qc_escalations_assignee" ON "qc_escalations" USING btree ("assignee_id") WHERE "qc_escalations"."status" <> 'reviewed';--> statement-breakpoint
CREATE INDEX "qc_feedbacks_created" ON "qc_feedbacks" USING btree ("created_at","qc_feedback_id");--> statement-breakpoint
CREATE INDEX "qc_feedbacks_of_kind" ON "qc_feedbacks" USING btree ("kind","created_at","qc_feedback_id");--> statement-breakpoint
CREATE INDEX "qc_feedbacks_agent" ON "qc_feedbacks" USING btree ("agent_id","created_at","qc_feedback_id");--> statement-breakpoint
CREATE INDEX "qc_feedbacks_of_conversation" ON "qc_feedbacks" USING btree ("conversation_id");--> statement-breakpoint
CREATE UNIQUE INDEX "qc_identities_unique" ON "qc_identities" USING btree ("source_id","identity");--> statement-breakpoint
CREATE INDEX "qc_identities_unknown" ON "qc_identities" USING btree ("qc_identity_id") WHERE "qc_identities"."user_id" is null;--> statement-breakpoint
CREATE INDEX "qc_import_runs_of_source" ON "qc_import_runs" USING btree ("source_id","qc_import_run_id");--> statement-breakpoint
CREATE UNIQUE INDEX "qc_sources_unique_name" ON "qc_sources" USING btree (lower("name")) WHERE "qc_sources"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "qc_drafts_of_reviewer" ON "qc_drafts" USING btree ("reviewer_id","saved_at");--> statement-breakpoint
CREATE INDEX "qc_review_edits_of_review" ON "qc_review_edits" USING btree ("review_id");--> statement-breakpoint
CREATE UNIQUE INDEX "qc_reviews_unique" ON "qc_reviews" USING btree ("conversation_id","agent_id") WHERE "qc_reviews"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "qc_reviews_of_conversation" ON "qc_reviews" USING btree ("conversation_id");--> statement-breakpoint
CREATE INDEX "qc_reviews_submitted" ON "qc_reviews" USING btree ("submitted_at","qc_review_id") WHERE "qc_reviews"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "qc_reviews_agent" ON "qc_reviews" USING btree ("agent_id","submitted_at","qc_review_id") WHERE "qc_reviews"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "qc_reviews_reviewer" ON "qc_reviews" USING btree ("reviewer_id","submitted_at","qc_review_id") WHERE "qc_reviews"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "qc_scores_type" ON "qc_scores" USING btree ("type_id");--> statement-breakpoint
CREATE INDEX "qc_scores_grade" ON "qc_scores" USING btree ("grade_id");--> statement-breakpoint
CREATE UNIQUE INDEX "qc_cron_filters_unique_name" ON "qc_cron_filters" USING btree (lower("name")) WHERE "qc_cron_filters"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "qc_cron_runs_of_filter" ON "qc_cron_runs" USING btree ("filter_id","qc_cron_run_id");--> statement-breakpoint
CREATE UNIQUE INDEX "qc_score_grades_unique_name" ON "qc_score_grades" USING btree (lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "qc_score_types_unique_name" ON "qc_score_types" USING btree (lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "qc_tags_unique_name" ON "qc_tags" USING btree (lower("name")) WHERE "qc_tags"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "qc_comment_edits_of_comment" ON "qc_comment_edits" USING btree ("comment_id");--> statement-breakpoint
CREATE INDEX "qc_comments_of_conversation" ON "qc_comments" USING btree ("conversation_id","qc_comment_id");--> statement-breakpoint
CREATE INDEX "qc_comments_of_subject" ON "qc_comments" USING btree ("subject","subject_id","qc_comment_id");