ALTER TABLE "database_grants" ADD COLUMN "chosen" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "database_users" ADD COLUMN "status" text DEFAULT 'active' NOT NULL;--> statement-breakpoint
ALTER TABLE "database_users" ADD COLUMN "next" jsonb;--> statement-breakpoint
ALTER TABLE "database_users" ADD COLUMN "purge_after" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "database_users" ADD COLUMN "workflow_id" integer;--> statement-breakpoint
ALTER TABLE "databases" ADD COLUMN "next" jsonb;--> statement-breakpoint
ALTER TABLE "database_users" ADD CONSTRAINT "database_users_workflow_id_workflows_workflow_id_fk" FOREIGN KEY ("workflow_id") REFERENCES "public"."workflows"("workflow_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "databases_size" ON "databases" USING btree (coalesce("size", -1),"database_id") WHERE "databases"."deleted_at" is null;