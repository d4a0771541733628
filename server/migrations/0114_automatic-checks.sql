CREATE TABLE "former_departments" (
	"former_department_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "former_departments_former_department_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"department_id" integer NOT NULL,
	"until" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "qc_check_results" (
	"conversation_id" integer PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"passed" integer[] DEFAULT '{}' NOT NULL,
	"failed" integer[] DEFAULT '{}' NOT NULL,
	"failed_count" smallint DEFAULT 0 NOT NULL,
	"findings" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"checked_at" timestamp(3) with time zone,
	"due_at" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE TABLE "qc_check_rules" (
	"qc_check_rule_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "qc_check_rules_qc_check_rule_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"check" text NOT NULL,
	"who" text DEFAULT 'agent' NOT NULL,
	"words" text[] DEFAULT '{}' NOT NULL,
	"patterns" text[] DEFAULT '{}' NOT NULL,
	"minutes" integer DEFAULT 60 NOT NULL,
	"hours" text DEFAULT 'clock' NOT NULL,
	"hosts" text[] DEFAULT '{}' NOT NULL,
	"languages" text[] DEFAULT '{}' NOT NULL,
	"closers" text[] DEFAULT '{}' NOT NULL,
	"below" integer DEFAULT -5 NOT NULL,
	"used_for" text DEFAULT 'all' NOT NULL,
	"source_ids" integer[] DEFAULT '{}' NOT NULL,
	"department_ids" integer[] DEFAULT '{}' NOT NULL,
	"score_type_id" integer,
	"low_below" integer DEFAULT 60 NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"cursor" integer DEFAULT 2147483647,
	"passed" integer DEFAULT 0 NOT NULL,
	"failed" integer DEFAULT 0 NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE TABLE "qc_reviewers" (
	"user_id" integer PRIMARY KEY NOT NULL,
	"department_ids" integer[] DEFAULT '{}' NOT NULL,
	"team_ids" integer[] DEFAULT '{}' NOT NULL,
	"weekly_goal" integer,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "former_departments" ADD CONSTRAINT "former_departments_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "former_departments" ADD CONSTRAINT "former_departments_department_id_departments_department_id_fk" FOREIGN KEY ("department_id") REFERENCES "public"."departments"("department_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "qc_check_results" ADD CONSTRAINT "qc_check_results_conversation_id_qc_conversations_qc_conversation_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."qc_conversations"("qc_conversation_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "qc_check_rules" ADD CONSTRAINT "qc_check_rules_score_type_id_qc_score_types_qc_score_type_id_fk" FOREIGN KEY ("score_type_id") REFERENCES "public"."qc_score_types"("qc_score_type_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "qc_reviewers" ADD CONSTRAINT "qc_reviewers_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "former_departments_user" ON "former_departments" USING btree ("user_id","until");--> statement-breakpoint
CREATE INDEX "qc_check_results_due" ON "qc_check_results" USING btree ("due_at") WHERE "qc_check_results"."due_at" is not null;--> statement-breakpoint
CREATE INDEX "qc_check_results_failed" ON "qc_check_results" USING gin ("failed");--> statement-breakpoint
CREATE INDEX "qc_check_results_most" ON "qc_check_results" USING btree ("kind","failed_count","conversation_id") WHERE "qc_check_results"."failed_count" > 0;--> statement-breakpoint
CREATE UNIQUE INDEX "qc_check_rules_unique_name" ON "qc_check_rules" USING btree (lower("name")) WHERE "qc_check_rules"."deleted_at" is null;--> statement-breakpoint
CREATE FUNCTION keep_former_department() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO former_departments (user_id, department_id, until) VALUES (OLD.user_id, OLD.department_id, clock_timestamp());
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER keep_former_department AFTER UPDATE OF department_id ON users FOR EACH ROW
  WHEN (OLD.department_id IS NOT NULL AND OLD.department_id IS DISTINCT FROM NEW.department_id) EXECUTE FUNCTION keep_former_department();
