CREATE TABLE "website_groups" (
	"website_group_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "website_groups_website_group_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"owner_id" integer NOT NULL,
	"main_website" integer NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE TABLE "plan_versions" (
	"plan_id" integer NOT NULL,
	"version" integer NOT NULL,
	"at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"by" text NOT NULL,
	"name" text NOT NULL,
	"disk_mb" integer NOT NULL,
	"memory_mb" integer NOT NULL,
	"cpu_percent" integer NOT NULL,
	"tasks" integer NOT NULL,
	"websites" integer NOT NULL,
	"databases" integer NOT NULL,
	"mailboxes" integer NOT NULL,
	"ftp_users" integer NOT NULL,
	"php_versions" text[] NOT NULL,
	CONSTRAINT "plan_versions_plan_id_version_pk" PRIMARY KEY("plan_id","version")
);
--> statement-breakpoint
ALTER TABLE "workflows" ADD COLUMN "dismissed_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "workflows" ADD COLUMN "dismissed_by" text;--> statement-breakpoint
ALTER TABLE "system_users" ADD COLUMN "uid" integer;--> statement-breakpoint
ALTER TABLE "system_users" ADD COLUMN "reason" text;--> statement-breakpoint
ALTER TABLE "system_users" ADD COLUMN "next_plan_id" integer;--> statement-breakpoint
ALTER TABLE "system_users" ADD COLUMN "disk_used_mb" integer;--> statement-breakpoint
ALTER TABLE "system_users" ADD COLUMN "disk_seen_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "system_users" ADD COLUMN "workflow_id" integer;--> statement-breakpoint
ALTER TABLE "websites" ADD COLUMN "group_position" integer;--> statement-breakpoint
ALTER TABLE "websites" ADD COLUMN "suspended_with_account" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "website_groups" ADD CONSTRAINT "website_groups_owner_id_owners_owner_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."owners"("owner_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "website_groups" ADD CONSTRAINT "website_groups_main_website_websites_website_id_fk" FOREIGN KEY ("main_website") REFERENCES "public"."websites"("website_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "plan_versions" ADD CONSTRAINT "plan_versions_plan_id_plans_plan_id_fk" FOREIGN KEY ("plan_id") REFERENCES "public"."plans"("plan_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "website_groups_created" ON "website_groups" USING btree ("created_at","website_group_id") WHERE "website_groups"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "website_groups_updated" ON "website_groups" USING btree ("updated_at","website_group_id") WHERE "website_groups"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "website_groups_owner" ON "website_groups" USING btree ("owner_id","created_at","website_group_id") WHERE "website_groups"."deleted_at" is null;--> statement-breakpoint
ALTER TABLE "system_users" ADD CONSTRAINT "system_users_next_plan_id_plans_plan_id_fk" FOREIGN KEY ("next_plan_id") REFERENCES "public"."plans"("plan_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "system_users" ADD CONSTRAINT "system_users_workflow_id_workflows_workflow_id_fk" FOREIGN KEY ("workflow_id") REFERENCES "public"."workflows"("workflow_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "websites" ADD CONSTRAINT "websites_group_id_website_groups_website_group_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."website_groups"("website_group_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "system_users_by_name" ON "system_users" USING btree ("username","system_user_id") WHERE "system_users"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "system_users_created" ON "system_users" USING btree ("created_at","system_user_id") WHERE "system_users"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "system_users_disk" ON "system_users" USING btree (coalesce("disk_used_mb", -1),"system_user_id") WHERE "system_users"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "system_users_server" ON "system_users" USING btree ("server_id","username","system_user_id") WHERE "system_users"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "system_users_plan" ON "system_users" USING btree ("plan_id","username","system_user_id") WHERE "system_users"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "system_users_search" ON "system_users" USING gin ("username" gin_trgm_ops) WHERE "system_users"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "websites_group" ON "websites" USING btree ("group_id","group_position") WHERE "websites"."group_id" is not null;--> statement-breakpoint
-- plans that stood before versions were kept
INSERT INTO plan_versions (plan_id, version, at, by, name, disk_mb, memory_mb, cpu_percent, tasks, websites, databases, mailboxes, ftp_users, php_versions)
SELECT plan_id, version, updated_at, 'Innkeeper', name, disk_mb, memory_mb, cpu_percent, tasks, websites, databases, mailboxes, ftp_users, php_versions FROM plans;
