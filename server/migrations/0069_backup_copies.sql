CREATE TABLE "backup_copies" (
	"backup_copy_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "backup_copies_backup_copy_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"backup_repository_id" integer NOT NULL,
	"target_repository_id" integer NOT NULL,
	"when" jsonb,
	"limit_kb" integer,
	"enabled" boolean DEFAULT true NOT NULL,
	"next_at" timestamp(3) with time zone,
	"last_at" timestamp(3) with time zone,
	"failures" integer DEFAULT 0 NOT NULL,
	"error" text,
	"workflow_id" integer,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE TABLE "own_backup_plans" (
	"own_backup_plan_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "own_backup_plans_own_backup_plan_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"backup_server_id" integer NOT NULL,
	"when" jsonb NOT NULL,
	"keep" jsonb NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"next_at" timestamp(3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE TABLE "own_backups" (
	"own_backup_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "own_backups_own_backup_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"backup_repository_id" integer NOT NULL,
	"status" smallint DEFAULT 0 NOT NULL,
	"snapshot" text,
	"bytes" bigint,
	"added" bigint,
	"rows" bigint,
	"started_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp(3) with time zone,
	"proven_at" timestamp(3) with time zone,
	"error" text,
	"leaving" boolean DEFAULT false NOT NULL,
	"workflow_id" integer,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE TABLE "backup_pauses" (
	"backup_pause_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "backup_pauses_backup_pause_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"server_id" integer NOT NULL,
	"until" timestamp(3) with time zone NOT NULL,
	"reason" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp(3) with time zone
);
--> statement-breakpoint
ALTER TABLE "backup_repositories" ADD COLUMN "copy_of_id" integer;--> statement-breakpoint
ALTER TABLE "backups" ADD COLUMN "paused_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "backups" ADD COLUMN "paused_until" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "backups" ADD COLUMN "copied_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "backup_copies" ADD CONSTRAINT "backup_copies_backup_repository_id_backup_repositories_backup_repository_id_fk" FOREIGN KEY ("backup_repository_id") REFERENCES "public"."backup_repositories"("backup_repository_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "backup_copies" ADD CONSTRAINT "backup_copies_target_repository_id_backup_repositories_backup_repository_id_fk" FOREIGN KEY ("target_repository_id") REFERENCES "public"."backup_repositories"("backup_repository_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "backup_copies" ADD CONSTRAINT "backup_copies_workflow_id_workflows_workflow_id_fk" FOREIGN KEY ("workflow_id") REFERENCES "public"."workflows"("workflow_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "own_backup_plans" ADD CONSTRAINT "own_backup_plans_backup_server_id_backup_servers_backup_server_id_fk" FOREIGN KEY ("backup_server_id") REFERENCES "public"."backup_servers"("backup_server_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "own_backups" ADD CONSTRAINT "own_backups_backup_repository_id_backup_repositories_backup_repository_id_fk" FOREIGN KEY ("backup_repository_id") REFERENCES "public"."backup_repositories"("backup_repository_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "own_backups" ADD CONSTRAINT "own_backups_workflow_id_workflows_workflow_id_fk" FOREIGN KEY ("workflow_id") REFERENCES "public"."workflows"("workflow_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "backup_pauses" ADD CONSTRAINT "backup_pauses_server_id_servers_server_id_fk" FOREIGN KEY ("server_id") REFERENCES "public"."servers"("server_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "backup_copies_repository" ON "backup_copies" USING btree ("backup_repository_id") WHERE "backup_copies"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "backup_copies_due" ON "backup_copies" USING btree ("next_at") WHERE "backup_copies"."deleted_at" is null and "backup_copies"."enabled";--> statement-breakpoint
CREATE INDEX "backup_copies_created" ON "backup_copies" USING btree ("created_at","backup_copy_id") WHERE "backup_copies"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "own_backup_plans_one" ON "own_backup_plans" USING btree ((true)) WHERE "own_backup_plans"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "own_backups_started" ON "own_backups" USING btree ("started_at","own_backup_id") WHERE "own_backups"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "own_backups_repository" ON "own_backups" USING btree ("backup_repository_id");--> statement-breakpoint
CREATE UNIQUE INDEX "backup_pauses_server" ON "backup_pauses" USING btree ("server_id") WHERE "backup_pauses"."deleted_at" is null;--> statement-breakpoint
ALTER TABLE "backup_repositories" ADD CONSTRAINT "backup_repositories_copy_of_id_backup_repositories_backup_repository_id_fk" FOREIGN KEY ("copy_of_id") REFERENCES "public"."backup_repositories"("backup_repository_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "backup_repositories_copy" ON "backup_repositories" USING btree ("copy_of_id") WHERE "backup_repositories"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "backups_paused" ON "backups" USING btree ("server_id") WHERE "backups"."paused_at" is not null;--> statement-breakpoint
CREATE INDEX "backups_uncopied" ON "backups" USING btree ("backup_repository_id","created_at") WHERE "backups"."copied_at" is null and "backups"."deleted_at" is null;