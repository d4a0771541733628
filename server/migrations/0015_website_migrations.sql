CREATE TABLE "website_migrations" (
	"website_migration_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "website_migrations_website_migration_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"type" text NOT NULL,
	"status" text NOT NULL,
	"parent_id" integer,
	"position" integer,
	"reverse_of" integer,
	"domain" text NOT NULL,
	"source_website_id" integer NOT NULL,
	"source_group_id" integer,
	"source_server_id" integer NOT NULL,
	"target_server_id" integer NOT NULL,
	"target_group_id" integer,
	"target_website_id" integer,
	"target_user_id" integer,
	"sites" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"findings" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"report" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"freeze_ms" integer,
	"soak_hours" integer NOT NULL,
	"soak_until" timestamp(3) with time zone,
	"reason" text,
	"workflow_id" integer,
	"started_by" text NOT NULL,
	"started_by_id" integer,
	"ended_at" timestamp(3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "workflows" ADD COLUMN "paused" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "website_migrations" ADD CONSTRAINT "website_migrations_parent_id_website_migrations_website_migration_id_fk" FOREIGN KEY ("parent_id") REFERENCES "public"."website_migrations"("website_migration_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "website_migrations" ADD CONSTRAINT "website_migrations_reverse_of_website_migrations_website_migration_id_fk" FOREIGN KEY ("reverse_of") REFERENCES "public"."website_migrations"("website_migration_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "website_migrations" ADD CONSTRAINT "website_migrations_source_website_id_websites_website_id_fk" FOREIGN KEY ("source_website_id") REFERENCES "public"."websites"("website_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "website_migrations" ADD CONSTRAINT "website_migrations_source_group_id_website_groups_website_group_id_fk" FOREIGN KEY ("source_group_id") REFERENCES "public"."website_groups"("website_group_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "website_migrations" ADD CONSTRAINT "website_migrations_source_server_id_servers_server_id_fk" FOREIGN KEY ("source_server_id") REFERENCES "public"."servers"("server_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "website_migrations" ADD CONSTRAINT "website_migrations_target_server_id_servers_server_id_fk" FOREIGN KEY ("target_server_id") REFERENCES "public"."servers"("server_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "website_migrations" ADD CONSTRAINT "website_migrations_target_group_id_website_groups_website_group_id_fk" FOREIGN KEY ("target_group_id") REFERENCES "public"."website_groups"("website_group_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "website_migrations" ADD CONSTRAINT "website_migrations_target_website_id_websites_website_id_fk" FOREIGN KEY ("target_website_id") REFERENCES "public"."websites"("website_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "website_migrations" ADD CONSTRAINT "website_migrations_target_user_id_system_users_system_user_id_fk" FOREIGN KEY ("target_user_id") REFERENCES "public"."system_users"("system_user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "website_migrations" ADD CONSTRAINT "website_migrations_workflow_id_workflows_workflow_id_fk" FOREIGN KEY ("workflow_id") REFERENCES "public"."workflows"("workflow_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "website_migrations_created" ON "website_migrations" USING btree ("created_at","website_migration_id") WHERE "website_migrations"."parent_id" is null;--> statement-breakpoint
CREATE INDEX "website_migrations_updated" ON "website_migrations" USING btree ("updated_at","website_migration_id") WHERE "website_migrations"."parent_id" is null;--> statement-breakpoint
CREATE INDEX "website_migrations_status" ON "website_migrations" USING btree ("status","created_at","website_migration_id") WHERE "website_migrations"."parent_id" is null;--> statement-breakpoint
CREATE INDEX "website_migrations_type" ON "website_migrations" USING btree ("type","created_at","website_migration_id") WHERE "website_migrations"."parent_id" is null;--> statement-breakpoint
CREATE INDEX "website_migrations_source" ON "website_migrations" USING btree ("source_server_id","created_at","website_migration_id") WHERE "website_migrations"."parent_id" is null;--> statement-breakpoint
CREATE INDEX "website_migrations_target" ON "website_migrations" USING btree ("target_server_id","created_at","website_migration_id") WHERE "website_migrations"."parent_id" is null;--> statement-breakpoint
CREATE INDEX "website_migrations_website" ON "website_migrations" USING btree ("source_website_id","created_at","website_migration_id");--> statement-breakpoint
CREATE INDEX "website_migrations_target_website" ON "website_migrations" USING btree ("target_website_id","created_at","website_migration_id");--> statement-breakpoint
CREATE INDEX "website_migrations_source_group" ON "website_migrations" USING btree ("source_group_id","created_at","website_migration_id");--> statement-breakpoint
CREATE INDEX "website_migrations_target_group" ON "website_migrations" USING btree ("target_group_id","created_at","website_migration_id");--> statement-breakpoint
CREATE INDEX "website_migrations_members" ON "website_migrations" USING btree ("parent_id","position");--> statement-breakpoint
CREATE INDEX "website_migrations_soak" ON "website_migrations" USING btree ("soak_until") WHERE "website_migrations"."status" = 'soaking';--> statement-breakpoint
CREATE INDEX "website_migrations_workflow" ON "website_migrations" USING btree ("workflow_id");--> statement-breakpoint
CREATE INDEX "website_migrations_search" ON "website_migrations" USING gin ("domain" gin_trgm_ops) WHERE "website_migrations"."parent_id" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "website_migrations_one_at_a_time" ON "website_migrations" USING btree ("source_website_id") WHERE "website_migrations"."type" = 'website' and "website_migrations"."status" in ('waiting', 'running', 'paused', 'failed');