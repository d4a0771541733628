CREATE TABLE "dossier_feedback_edits" (
	"dossier_feedback_edit_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "dossier_feedback_edits_dossier_feedback_edit_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"feedback_id" integer NOT NULL,
	"at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"by" integer NOT NULL,
	"content" text NOT NULL,
	"visibility" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "dossier_feedbacks" (
	"dossier_feedback_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "dossier_feedbacks_dossier_feedback_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"subject_id" integer NOT NULL,
	"author_id" integer NOT NULL,
	"type_id" integer,
	"category_id" integer,
	"review_category_id" integer,
	"content" text NOT NULL,
	"visibility" text NOT NULL,
	"is_draft" boolean DEFAULT false NOT NULL,
	"published_at" timestamp(3) with time zone,
	"mentions" integer[] DEFAULT '{}' NOT NULL,
	"file_ids" integer[] DEFAULT '{}' NOT NULL,
	"follow_up_on" date,
	"follow_up_by_id" integer,
	"reminded_at" timestamp(3) with time zone,
	"acknowledged_at" timestamp(3) with time zone,
	"answer" text DEFAULT '' NOT NULL,
	"edited_at" timestamp(3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE TABLE "dossier_memberships" (
	"dossier_membership_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "dossier_memberships_dossier_membership_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"team_id" integer NOT NULL,
	"position_id" integer,
	"starts_on" date NOT NULL,
	"ends_on" date,
	"is_additional" boolean DEFAULT false NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE TABLE "dossiers" (
	"user_id" integer PRIMARY KEY NOT NULL,
	"started_on" date,
	"about" text DEFAULT '' NOT NULL,
	"erased_at" timestamp(3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE TABLE "dossier_positions" (
	"dossier_position_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "dossier_positions_dossier_position_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"level" integer DEFAULT 0 NOT NULL,
	"position_id" integer,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE TABLE "dossier_talk_answers" (
	"talk_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"texts" text[] NOT NULL,
	"is_ready" boolean DEFAULT false NOT NULL,
	"saved_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "dossier_talk_answers_talk_id_user_id_pk" PRIMARY KEY("talk_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "dossier_talks" (
	"dossier_talk_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "dossier_talks_dossier_talk_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"title" text NOT NULL,
	"person_id" integer NOT NULL,
	"lead_id" integer NOT NULL,
	"held_on" date NOT NULL,
	"state" text DEFAULT 'preparing' NOT NULL,
	"questions" text[] NOT NULL,
	"goals" text[] DEFAULT '{}' NOT NULL,
	"released_at" timestamp(3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "dossier_teams" (
	"dossier_team_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "dossier_teams_dossier_team_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"manager_id" integer,
	"department_id" integer,
	"parent_id" integer,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE TABLE "dossier_words" (
	"dossier_word_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "dossier_words_dossier_word_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp(3) with time zone
);
--> statement-breakpoint
ALTER TABLE "qc_comments" ADD COLUMN "about_id" integer;--> statement-breakpoint
ALTER TABLE "dossier_feedback_edits" ADD CONSTRAINT "dossier_feedback_edits_feedback_id_dossier_feedbacks_dossier_feedback_id_fk" FOREIGN KEY ("feedback_id") REFERENCES "public"."dossier_feedbacks"("dossier_feedback_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dossier_feedbacks" ADD CONSTRAINT "dossier_feedbacks_subject_id_users_user_id_fk" FOREIGN KEY ("subject_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dossier_feedbacks" ADD CONSTRAINT "dossier_feedbacks_author_id_users_user_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dossier_feedbacks" ADD CONSTRAINT "dossier_feedbacks_type_id_dossier_words_dossier_word_id_fk" FOREIGN KEY ("type_id") REFERENCES "public"."dossier_words"("dossier_word_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dossier_feedbacks" ADD CONSTRAINT "dossier_feedbacks_category_id_dossier_words_dossier_word_id_fk" FOREIGN KEY ("category_id") REFERENCES "public"."dossier_words"("dossier_word_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dossier_feedbacks" ADD CONSTRAINT "dossier_feedbacks_review_category_id_dossier_words_dossier_word_id_fk" FOREIGN KEY ("review_category_id") REFERENCES "public"."dossier_words"("dossier_word_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dossier_feedbacks" ADD CONSTRAINT "dossier_feedbacks_follow_up_by_id_users_user_id_fk" FOREIGN KEY ("follow_up_by_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dossier_memberships" ADD CONSTRAINT "dossier_memberships_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dossier_memberships" ADD CONSTRAINT "dossier_memberships_team_id_dossier_teams_dossier_team_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."dossier_teams"("dossier_team_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dossier_memberships" ADD CONSTRAINT "dossier_memberships_position_id_dossier_positions_dossier_position_id_fk" FOREIGN KEY ("position_id") REFERENCES "public"."dossier_positions"("dossier_position_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dossiers" ADD CONSTRAINT "dossiers_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dossier_positions" ADD CONSTRAINT "dossier_positions_position_id_dossier_positions_dossier_position_id_fk" FOREIGN KEY ("position_id") REFERENCES "public"."dossier_positions"("dossier_position_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dossier_talk_answers" ADD CONSTRAINT "dossier_talk_answers_talk_id_dossier_talks_dossier_talk_id_fk" FOREIGN KEY ("talk_id") REFERENCES "public"."dossier_talks"("dossier_talk_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dossier_talk_answers" ADD CONSTRAINT "dossier_talk_answers_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dossier_talks" ADD CONSTRAINT "dossier_talks_person_id_users_user_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dossier_talks" ADD CONSTRAINT "dossier_talks_lead_id_users_user_id_fk" FOREIGN KEY ("lead_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dossier_teams" ADD CONSTRAINT "dossier_teams_manager_id_users_user_id_fk" FOREIGN KEY ("manager_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dossier_teams" ADD CONSTRAINT "dossier_teams_department_id_departments_department_id_fk" FOREIGN KEY ("department_id") REFERENCES "public"."departments"("department_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dossier_teams" ADD CONSTRAINT "dossier_teams_parent_id_dossier_teams_dossier_team_id_fk" FOREIGN KEY ("parent_id") REFERENCES "public"."dossier_teams"("dossier_team_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "dossier_feedback_edits_of" ON "dossier_feedback_edits" USING btree ("feedback_id","dossier_feedback_edit_id");--> statement-breakpoint
CREATE INDEX "dossier_feedbacks_created" ON "dossier_feedbacks" USING btree ("created_at","dossier_feedback_id") WHERE "dossier_feedbacks"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "dossier_feedbacks_subject" ON "dossier_feedbacks" USING btree ("subject_id","created_at","dossier_feedback_id") WHERE "dossier_feedbacks"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "dossier_feedbacks_author" ON "dossier_feedbacks" USING btree ("author_id","created_at","dossier_feedback_id") WHERE "dossier_feedbacks"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "dossier_feedbacks_type" ON "dossier_feedbacks" USING btree ("type_id") WHERE "dossier_feedbacks"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "dossier_feedbacks_category" ON "dossier_feedbacks" USING btree ("category_id") WHERE "dossier_feedbacks"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "dossier_feedbacks_review_category" ON "dossier_feedbacks" USING btree ("review_category_id") WHERE "dossier_feedbacks"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "dossier_feedbacks_reminders" ON "dossier_feedbacks" USING btree ("follow_up_on") WHERE "dossier_feedbacks"."deleted_at" is null and "dossier_feedbacks"."reminded_at" is null;--> statement-breakpoint
CREATE INDEX "dossier_feedbacks_follow_up" ON "dossier_feedbacks" USING btree ("follow_up_by_id") WHERE "dossier_feedbacks"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "dossier_feedbacks_search" ON "dossier_feedbacks" USING gin (lower("content") gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "dossier_memberships_starts" ON "dossier_memberships" USING btree ("starts_on","dossier_membership_id") WHERE "dossier_memberships"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "dossier_memberships_created" ON "dossier_memberships" USING btree ("created_at","dossier_membership_id") WHERE "dossier_memberships"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "dossier_memberships_user" ON "dossier_memberships" USING btree ("user_id","starts_on","dossier_membership_id") WHERE "dossier_memberships"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "dossier_memberships_team" ON "dossier_memberships" USING btree ("team_id","starts_on","dossier_membership_id") WHERE "dossier_memberships"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "dossier_memberships_position" ON "dossier_memberships" USING btree ("position_id","starts_on","dossier_membership_id") WHERE "dossier_memberships"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "dossiers_created" ON "dossiers" USING btree ("created_at","user_id") WHERE "dossiers"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "dossier_positions_unique" ON "dossier_positions" USING btree (lower("name")) WHERE "dossier_positions"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "dossier_positions_name" ON "dossier_positions" USING btree (lower("name"),"dossier_position_id") WHERE "dossier_positions"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "dossier_positions_level" ON "dossier_positions" USING btree ("level","dossier_position_id") WHERE "dossier_positions"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "dossier_positions_created" ON "dossier_positions" USING btree ("created_at","dossier_position_id") WHERE "dossier_positions"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "dossier_positions_above" ON "dossier_positions" USING btree ("position_id") WHERE "dossier_positions"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "dossier_positions_search" ON "dossier_positions" USING gin (lower("name") gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "dossier_talks_created" ON "dossier_talks" USING btree ("created_at","dossier_talk_id");--> statement-breakpoint
CREATE INDEX "dossier_talks_person" ON "dossier_talks" USING btree ("person_id","created_at","dossier_talk_id");--> statement-breakpoint
CREATE INDEX "dossier_talks_lead" ON "dossier_talks" USING btree ("lead_id","created_at","dossier_talk_id");--> statement-breakpoint
CREATE UNIQUE INDEX "dossier_teams_unique" ON "dossier_teams" USING btree (lower("name")) WHERE "dossier_teams"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "dossier_teams_name" ON "dossier_teams" USING btree (lower("name"),"dossier_team_id") WHERE "dossier_teams"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "dossier_teams_created" ON "dossier_teams" USING btree ("created_at","dossier_team_id") WHERE "dossier_teams"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "dossier_teams_manager" ON "dossier_teams" USING btree ("manager_id") WHERE "dossier_teams"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "dossier_teams_above" ON "dossier_teams" USING btree ("parent_id") WHERE "dossier_teams"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "dossier_teams_department" ON "dossier_teams" USING btree ("department_id") WHERE "dossier_teams"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "dossier_teams_search" ON "dossier_teams" USING gin (lower("name") gin_trgm_ops);--> statement-breakpoint
CREATE UNIQUE INDEX "dossier_words_unique" ON "dossier_words" USING btree ("kind",lower("name")) WHERE "dossier_words"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "dossier_words_name" ON "dossier_words" USING btree ("kind",lower("name"),"dossier_word_id") WHERE "dossier_words"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "dossier_words_created" ON "dossier_words" USING btree ("kind","created_at","dossier_word_id") WHERE "dossier_words"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "dossier_words_search" ON "dossier_words" USING gin (lower("name") gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "qc_escalations_agents" ON "qc_escalations" USING gin ("agent_ids");--> statement-breakpoint
CREATE INDEX "qc_comments_about" ON "qc_comments" USING btree ("about_id","created_at","qc_comment_id") WHERE "qc_comments"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "qc_comments_created" ON "qc_comments" USING btree ("created_at","qc_comment_id") WHERE "qc_comments"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "qc_comments_search" ON "qc_comments" USING gin (lower("content") gin_trgm_ops);--> statement-breakpoint
ALTER TABLE "dossier_memberships" ADD CONSTRAINT "dossier_memberships_days" CHECK ("ends_on" IS NULL OR "ends_on" >= "starts_on");--> statement-breakpoint
-- One main team at a time, and a team once at a time, whoever writes.
ALTER TABLE "dossier_memberships" ADD CONSTRAINT "dossier_memberships_main" EXCLUDE USING gist ("user_id" WITH =, daterange("starts_on", "ends_on", '[]') WITH &&) WHERE ("deleted_at" IS NULL AND NOT "is_additional");--> statement-breakpoint
ALTER TABLE "dossier_memberships" ADD CONSTRAINT "dossier_memberships_once" EXCLUDE USING gist ("user_id" WITH =, "team_id" WITH =, daterange("starts_on", "ends_on", '[]') WITH &&) WHERE ("deleted_at" IS NULL);--> statement-breakpoint
UPDATE "qc_comments" m SET "about_id" = c."agent_id" FROM "qc_conversations" c WHERE c."qc_conversation_id" = m."conversation_id";
