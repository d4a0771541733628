CREATE TABLE "archive_imports" (
	"archive_import_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "archive_imports_archive_import_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"server_id" integer NOT NULL,
	"source" text NOT NULL,
	"file_name" text NOT NULL,
	"status" text DEFAULT 'looking' NOT NULL,
	"inventory" jsonb,
	"owner_id" integer,
	"plan" jsonb,
	"made" jsonb,
	"report" jsonb,
	"reason" text,
	"staff_name" text NOT NULL,
	"workflow_id" integer,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "archive_imports" ADD CONSTRAINT "archive_imports_server_id_servers_server_id_fk" FOREIGN KEY ("server_id") REFERENCES "public"."servers"("server_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "archive_imports" ADD CONSTRAINT "archive_imports_owner_id_owners_owner_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."owners"("owner_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "archive_imports" ADD CONSTRAINT "archive_imports_workflow_id_workflows_workflow_id_fk" FOREIGN KEY ("workflow_id") REFERENCES "public"."workflows"("workflow_id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "archive_imports_created" ON "archive_imports" USING btree ("created_at","archive_import_id");--> statement-breakpoint
CREATE INDEX "archive_imports_name" ON "archive_imports" USING btree ("file_name","archive_import_id");--> statement-breakpoint
CREATE INDEX "archive_imports_server" ON "archive_imports" USING btree ("server_id","created_at","archive_import_id");--> statement-breakpoint
CREATE INDEX "archive_imports_status" ON "archive_imports" USING btree ("status","created_at","archive_import_id");--> statement-breakpoint
CREATE INDEX "archive_imports_workflow" ON "archive_imports" USING btree ("workflow_id");--> statement-breakpoint
CREATE INDEX "archive_imports_search" ON "archive_imports" USING gin (lower("file_name") gin_trgm_ops);