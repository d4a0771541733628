CREATE TABLE "backup_locks" (
	"backup_lock_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "backup_locks_backup_lock_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"backup_repository_id" integer NOT NULL,
	"state" text DEFAULT 'locked' NOT NULL,
	"source" text NOT NULL,
	"type" text NOT NULL,
	"reason" text NOT NULL,
	"holder" text,
	"host" text,
	"pid" integer,
	"exclusive" boolean DEFAULT false NOT NULL,
	"stale" boolean DEFAULT false NOT NULL,
	"file" text,
	"since" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"unlocked_at" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE TABLE "backup_logs" (
	"backup_log_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "backup_logs_backup_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"level" text NOT NULL,
	"message" text NOT NULL,
	"backup_task_id" integer,
	"backup_repository_id" integer,
	"website_id" integer
);
--> statement-breakpoint
CREATE TABLE "backup_repositories" (
	"backup_repository_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "backup_repositories_backup_repository_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"backup_server_id" integer NOT NULL,
	"server_id" integer NOT NULL,
	"account" text NOT NULL,
	"secret" text NOT NULL,
	"key_secret" text NOT NULL,
	"status" text NOT NULL,
	"size" bigint,
	"snapshots" integer,
	"last_backup_at" timestamp(3) with time zone,
	"last_forget_at" timestamp(3) with time zone,
	"last_prune_at" timestamp(3) with time zone,
	"last_check_at" timestamp(3) with time zone,
	"check_result" text,
	"seen_at" timestamp(3) with time zone,
	"workflow_id" integer,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE TABLE "backup_restore_items" (
	"backup_restore_item_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "backup_restore_items_backup_restore_item_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"backup_restore_id" integer NOT NULL,
	"resource" text NOT NULL,
	"resource_id" integer NOT NULL,
	"name" text NOT NULL,
	"result" text DEFAULT 'pending' NOT NULL,
	"message" text,
	"ended_at" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE TABLE "backup_restores" (
	"backup_restore_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "backup_restores_backup_restore_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"backup_id" integer NOT NULL,
	"website_id" integer NOT NULL,
	"domain" text NOT NULL,
	"scope" text NOT NULL,
	"paths" text[],
	"databases" jsonb,
	"result" text DEFAULT 'pending' NOT NULL,
	"started_by" text NOT NULL,
	"ended_at" timestamp(3) with time zone,
	"error" text,
	"workflow_id" integer,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "backup_schedules" (
	"backup_schedule_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "backup_schedules_backup_schedule_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"website_id" integer,
	"server_id" integer,
	"backup_server_id" integer NOT NULL,
	"kind" text NOT NULL,
	"when" jsonb NOT NULL,
	"spread" integer NOT NULL,
	"keep" jsonb NOT NULL,
	"excludes" text[] DEFAULT '{}' NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"next_at" timestamp(3) with time zone,
	"last_at" timestamp(3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE TABLE "backup_servers" (
	"backup_server_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "backup_servers_backup_server_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"server_id" integer NOT NULL,
	"port" integer NOT NULL,
	"note" text,
	"status" text NOT NULL,
	"certificate" text,
	"fingerprint" text,
	"programs" text,
	"keep" jsonb NOT NULL,
	"forget" jsonb,
	"forget_next_at" timestamp(3) with time zone,
	"prune" jsonb,
	"prune_next_at" timestamp(3) with time zone,
	"workflow_id" integer,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE TABLE "backup_sizes" (
	"backup_size_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "backup_sizes_backup_size_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"backup_repository_id" integer NOT NULL,
	"at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"size" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "backup_tasks" (
	"backup_task_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "backup_tasks_backup_task_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"type" text NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"resource" text,
	"subject" text NOT NULL,
	"backup_id" integer,
	"backup_restore_id" integer,
	"backup_repository_id" integer,
	"website_id" integer,
	"started_by" text NOT NULL,
	"message" text,
	"ended_at" timestamp(3) with time zone,
	"workflow_id" integer,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "backup_turns" (
	"backup_turn_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "backup_turns_backup_turn_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"backup_schedule_id" integer NOT NULL,
	"website_id" integer NOT NULL,
	"start_at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "backups" (
	"backup_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "backups_backup_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"website_id" integer NOT NULL,
	"domain" text NOT NULL,
	"server_id" integer NOT NULL,
	"backup_repository_id" integer NOT NULL,
	"backup_schedule_id" integer,
	"kind" text NOT NULL,
	"mode" text NOT NULL,
	"status" smallint DEFAULT 0 NOT NULL,
	"bytes" bigint,
	"added" bigint,
	"files" integer,
	"started_at" timestamp(3) with time zone,
	"ended_at" timestamp(3) with time zone,
	"error" text,
	"held" boolean DEFAULT false NOT NULL,
	"proven_at" timestamp(3) with time zone,
	"parts" jsonb NOT NULL,
	"configuration" jsonb NOT NULL,
	"leaving" boolean DEFAULT false NOT NULL,
	"workflow_id" integer,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp(3) with time zone
);
--> statement-breakpoint
ALTER TABLE "backup_locks" ADD CONSTRAINT "backup_locks_backup_repository_id_backup_repositories_backup_repository_id_fk" FOREIGN KEY ("backup_repository_id") REFERENCES "public"."backup_repositories"("backup_repository_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "backup_logs" ADD CONSTRAINT "backup_logs_backup_task_id_backup_tasks_backup_task_id_fk" FOREIGN KEY ("backup_task_id") REFERENCES "public"."backup_tasks"("backup_task_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "backup_logs" ADD CONSTRAINT "backup_logs_backup_repository_id_backup_repositories_backup_repository_id_fk" FOREIGN KEY ("backup_repository_id") REFERENCES "public"."backup_repositories"("backup_repository_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "backup_logs" ADD CONSTRAINT "backup_logs_website_id_websites_website_id_fk" FOREIGN KEY ("website_id") REFERENCES "public"."websites"("website_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "backup_repositories" ADD CONSTRAINT "backup_repositories_backup_server_id_backup_servers_backup_server_id_fk" FOREIGN KEY ("backup_server_id") REFERENCES "public"."backup_servers"("backup_server_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "backup_repositories" ADD CONSTRAINT "backup_repositories_server_id_servers_server_id_fk" FOREIGN KEY ("server_id") REFERENCES "public"."servers"("server_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "backup_repositories" ADD CONSTRAINT "backup_repositories_workflow_id_workflows_workflow_id_fk" FOREIGN KEY ("workflow_id") REFERENCES "public"."workflows"("workflow_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "backup_restore_items" ADD CONSTRAINT "backup_restore_items_backup_restore_id_backup_restores_backup_restore_id_fk" FOREIGN KEY ("backup_restore_id") REFERENCES "public"."backup_restores"("backup_restore_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "backup_restores" ADD CONSTRAINT "backup_restores_backup_id_backups_backup_id_fk" FOREIGN KEY ("backup_id") REFERENCES "public"."backups"("backup_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "backup_restores" ADD CONSTRAINT "backup_restores_website_id_websites_website_id_fk" FOREIGN KEY ("website_id") REFERENCES "public"."websites"("website_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "backup_restores" ADD CONSTRAINT "backup_restores_workflow_id_workflows_workflow_id_fk" FOREIGN KEY ("workflow_id") REFERENCES "public"."workflows"("workflow_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "backup_schedules" ADD CONSTRAINT "backup_schedules_website_id_websites_website_id_fk" FOREIGN KEY ("website_id") REFERENCES "public"."websites"("website_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "backup_schedules" ADD CONSTRAINT "backup_schedules_server_id_servers_server_id_fk" FOREIGN KEY ("server_id") REFERENCES "public"."servers"("server_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "backup_schedules" ADD CONSTRAINT "backup_schedules_backup_server_id_backup_servers_backup_server_id_fk" FOREIGN KEY ("backup_server_id") REFERENCES "public"."backup_servers"("backup_server_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "backup_servers" ADD CONSTRAINT "backup_servers_server_id_servers_server_id_fk" FOREIGN KEY ("server_id") REFERENCES "public"."servers"("server_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "backup_servers" ADD CONSTRAINT "backup_servers_workflow_id_workflows_workflow_id_fk" FOREIGN KEY ("workflow_id") REFERENCES "public"."workflows"("workflow_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "backup_sizes" ADD CONSTRAINT "backup_sizes_backup_repository_id_backup_repositories_backup_repository_id_fk" FOREIGN KEY ("backup_repository_id") REFERENCES "public"."backup_repositories"("backup_repository_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "backup_tasks" ADD CONSTRAINT "backup_tasks_backup_id_backups_backup_id_fk" FOREIGN KEY ("backup_id") REFERENCES "public"."backups"("backup_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "backup_tasks" ADD CONSTRAINT "backup_tasks_backup_restore_id_backup_restores_backup_restore_id_fk" FOREIGN KEY ("backup_restore_id") REFERENCES "public"."backup_restores"("backup_restore_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "backup_tasks" ADD CONSTRAINT "backup_tasks_backup_repository_id_backup_repositories_backup_repository_id_fk" FOREIGN KEY ("backup_repository_id") REFERENCES "public"."backup_repositories"("backup_repository_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "backup_tasks" ADD CONSTRAINT "backup_tasks_website_id_websites_website_id_fk" FOREIGN KEY ("website_id") REFERENCES "public"."websites"("website_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "backup_tasks" ADD CONSTRAINT "backup_tasks_workflow_id_workflows_workflow_id_fk" FOREIGN KEY ("workflow_id") REFERENCES "public"."workflows"("workflow_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "backup_turns" ADD CONSTRAINT "backup_turns_backup_schedule_id_backup_schedules_backup_schedule_id_fk" FOREIGN KEY ("backup_schedule_id") REFERENCES "public"."backup_schedules"("backup_schedule_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "backup_turns" ADD CONSTRAINT "backup_turns_website_id_websites_website_id_fk" FOREIGN KEY ("website_id") REFERENCES "public"."websites"("website_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "backups" ADD CONSTRAINT "backups_website_id_websites_website_id_fk" FOREIGN KEY ("website_id") REFERENCES "public"."websites"("website_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "backups" ADD CONSTRAINT "backups_server_id_servers_server_id_fk" FOREIGN KEY ("server_id") REFERENCES "public"."servers"("server_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "backups" ADD CONSTRAINT "backups_backup_repository_id_backup_repositories_backup_repository_id_fk" FOREIGN KEY ("backup_repository_id") REFERENCES "public"."backup_repositories"("backup_repository_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "backups" ADD CONSTRAINT "backups_backup_schedule_id_backup_schedules_backup_schedule_id_fk" FOREIGN KEY ("backup_schedule_id") REFERENCES "public"."backup_schedules"("backup_schedule_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "backups" ADD CONSTRAINT "backups_workflow_id_workflows_workflow_id_fk" FOREIGN KEY ("workflow_id") REFERENCES "public"."workflows"("workflow_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "backup_locks_own" ON "backup_locks" USING btree ("backup_repository_id") WHERE "backup_locks"."state" = 'locked' and "backup_locks"."source" = 'innkeeper';--> statement-breakpoint
CREATE UNIQUE INDEX "backup_locks_file" ON "backup_locks" USING btree ("backup_repository_id","file") WHERE "backup_locks"."state" = 'locked';--> statement-breakpoint
CREATE INDEX "backup_locks_since" ON "backup_locks" USING btree ("since","backup_lock_id");--> statement-breakpoint
CREATE INDEX "backup_locks_repository" ON "backup_locks" USING btree ("backup_repository_id","since");--> statement-breakpoint
CREATE INDEX "backup_logs_at" ON "backup_logs" USING btree ("at","backup_log_id");--> statement-breakpoint
CREATE INDEX "backup_logs_website" ON "backup_logs" USING btree ("website_id","at");--> statement-breakpoint
CREATE INDEX "backup_logs_task" ON "backup_logs" USING btree ("backup_task_id");--> statement-breakpoint
CREATE INDEX "backup_logs_search" ON "backup_logs" USING gin ("message" gin_trgm_ops);--> statement-breakpoint
CREATE UNIQUE INDEX "backup_repositories_account" ON "backup_repositories" USING btree ("backup_server_id","account") WHERE "backup_repositories"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "backup_repositories_server" ON "backup_repositories" USING btree ("server_id");--> statement-breakpoint
CREATE INDEX "backup_repositories_created" ON "backup_repositories" USING btree ("created_at","backup_repository_id") WHERE "backup_repositories"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "backup_repositories_by_account" ON "backup_repositories" USING btree ("account","backup_repository_id") WHERE "backup_repositories"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "backup_repositories_search" ON "backup_repositories" USING gin ("account" gin_trgm_ops) WHERE "backup_repositories"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "backup_restore_items_restore" ON "backup_restore_items" USING btree ("backup_restore_id","backup_restore_item_id");--> statement-breakpoint
CREATE INDEX "backup_restores_created" ON "backup_restores" USING btree ("created_at","backup_restore_id");--> statement-breakpoint
CREATE INDEX "backup_restores_website" ON "backup_restores" USING btree ("website_id");--> statement-breakpoint
CREATE INDEX "backup_restores_workflow" ON "backup_restores" USING btree ("workflow_id");--> statement-breakpoint
CREATE INDEX "backup_restores_search" ON "backup_restores" USING gin ("domain" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "backup_schedules_by_name" ON "backup_schedules" USING btree ("name","backup_schedule_id") WHERE "backup_schedules"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "backup_schedules_created" ON "backup_schedules" USING btree ("created_at","backup_schedule_id") WHERE "backup_schedules"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "backup_schedules_due" ON "backup_schedules" USING btree ("next_at") WHERE "backup_schedules"."deleted_at" is null and "backup_schedules"."enabled";--> statement-breakpoint
CREATE INDEX "backup_schedules_website" ON "backup_schedules" USING btree ("website_id");--> statement-breakpoint
CREATE INDEX "backup_schedules_server" ON "backup_schedules" USING btree ("server_id");--> statement-breakpoint
CREATE INDEX "backup_schedules_search" ON "backup_schedules" USING gin ("name" gin_trgm_ops) WHERE "backup_schedules"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "backup_servers_server" ON "backup_servers" USING btree ("server_id") WHERE "backup_servers"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "backup_servers_created" ON "backup_servers" USING btree ("created_at","backup_server_id") WHERE "backup_servers"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "backup_sizes_repository" ON "backup_sizes" USING btree ("backup_repository_id","at");--> statement-breakpoint
CREATE INDEX "backup_tasks_created" ON "backup_tasks" USING btree ("created_at","backup_task_id");--> statement-breakpoint
CREATE INDEX "backup_tasks_workflow" ON "backup_tasks" USING btree ("workflow_id");--> statement-breakpoint
CREATE INDEX "backup_tasks_website" ON "backup_tasks" USING btree ("website_id","created_at");--> statement-breakpoint
CREATE INDEX "backup_tasks_search" ON "backup_tasks" USING gin ("subject" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "backup_turns_start" ON "backup_turns" USING btree ("start_at");--> statement-breakpoint
CREATE UNIQUE INDEX "backup_turns_website" ON "backup_turns" USING btree ("backup_schedule_id","website_id");--> statement-breakpoint
CREATE INDEX "backup_turns_of_website" ON "backup_turns" USING btree ("website_id");--> statement-breakpoint
CREATE INDEX "backups_created" ON "backups" USING btree ("created_at","backup_id") WHERE "backups"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "backups_started" ON "backups" USING btree ("started_at","backup_id") WHERE "backups"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "backups_bytes" ON "backups" USING btree (coalesce("bytes", -1),"backup_id") WHERE "backups"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "backups_website" ON "backups" USING btree ("website_id","created_at");--> statement-breakpoint
CREATE INDEX "backups_repository" ON "backups" USING btree ("backup_repository_id","created_at");--> statement-breakpoint
CREATE INDEX "backups_schedule" ON "backups" USING btree ("backup_schedule_id");--> statement-breakpoint
CREATE INDEX "backups_workflow" ON "backups" USING btree ("workflow_id");--> statement-breakpoint
CREATE INDEX "backups_open" ON "backups" USING btree ("status") WHERE "backups"."status" in (0, 1) and "backups"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "backups_search" ON "backups" USING gin ("domain" gin_trgm_ops) WHERE "backups"."deleted_at" is null;