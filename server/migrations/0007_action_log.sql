-- Filters of the action log that are common alone and hardly ever meet. Trusted since PostgreSQL 13, as pg_trgm is.
CREATE EXTENSION IF NOT EXISTS btree_gin;
--> statement-breakpoint
CREATE TABLE "action_log_checks" (
	"action_log_check_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "action_log_checks_action_log_check_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"started_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"started_by" text NOT NULL,
	"whole" boolean NOT NULL,
	"behind" bigint NOT NULL,
	"position" bigint NOT NULL,
	"up_to" bigint NOT NULL,
	"hash" text NOT NULL,
	"ended_at" timestamp(3) with time zone,
	"broken_position" bigint,
	"broken_row_id" bigint,
	"broken_reason" text
);
--> statement-breakpoint
CREATE TABLE "views" (
	"view_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "views_view_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"list" text NOT NULL,
	"name" text NOT NULL,
	"filters" jsonb NOT NULL,
	"sort" text,
	"direction" text,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "views_name" UNIQUE("user_id","list","name")
);
--> statement-breakpoint
DROP INDEX "action_logs_action";--> statement-breakpoint
DROP INDEX "action_logs_result";--> statement-breakpoint
ALTER TABLE "action_logs" ADD COLUMN "subject" text;--> statement-breakpoint
ALTER TABLE "views" ADD CONSTRAINT "views_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "action_logs_service" ON "action_logs" USING btree ("service","at","action_log_id");--> statement-breakpoint
CREATE INDEX "action_logs_resource" ON "action_logs" USING btree ("resource","at","action_log_id");--> statement-breakpoint
CREATE INDEX "action_logs_thing" ON "action_logs" USING btree ("resource_id","resource","at","action_log_id");--> statement-breakpoint
CREATE INDEX "action_logs_ip" ON "action_logs" USING btree ("ip","at","action_log_id");--> statement-breakpoint
CREATE INDEX "action_logs_workflow" ON "action_logs" USING btree ("workflow_id") WHERE "action_logs"."workflow_id" is not null;--> statement-breakpoint
CREATE INDEX "action_logs_request" ON "action_logs" USING btree ("request_id") WHERE "action_logs"."result" <> 'success';--> statement-breakpoint
CREATE INDEX "action_logs_met" ON "action_logs" USING gin ("staff_id","service","action","resource","result","ip") WITH (gin_pending_list_limit=512);--> statement-breakpoint
CREATE INDEX "action_logs_search" ON "action_logs" USING gin (lower("subject") gin_trgm_ops) WITH (gin_pending_list_limit=512);--> statement-breakpoint
CREATE INDEX "action_logs_begin" ON "action_logs" USING btree (lower("subject") text_pattern_ops);--> statement-breakpoint
CREATE INDEX "action_logs_action" ON "action_logs" USING btree ("action","at","action_log_id");--> statement-breakpoint
CREATE INDEX "action_logs_result" ON "action_logs" USING btree ("result","at","action_log_id") WHERE "action_logs"."result" <> 'success';