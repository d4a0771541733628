CREATE TABLE "database_exports" (
	"database_export_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "database_exports_database_export_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"database_id" integer NOT NULL,
	"key" text NOT NULL,
	"file_name" text NOT NULL,
	"status" text NOT NULL,
	"size" bigint,
	"sha256" text,
	"reason" text,
	"staff_name" text NOT NULL,
	"until" timestamp(3) with time zone,
	"workflow_id" integer,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "database_imports" (
	"database_import_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "database_imports_database_import_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"database_id" integer NOT NULL,
	"source" text NOT NULL,
	"reverts_id" integer,
	"file_name" text NOT NULL,
	"size" bigint,
	"status" text NOT NULL,
	"look" jsonb,
	"reason" text,
	"staff_name" text NOT NULL,
	"before_until" timestamp(3) with time zone,
	"workflow_id" integer,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "database_users" DROP CONSTRAINT "database_users_workflow_id_workflows_workflow_id_fk";
--> statement-breakpoint
ALTER TABLE "databases" DROP CONSTRAINT "databases_workflow_id_workflows_workflow_id_fk";
--> statement-breakpoint
ALTER TABLE "database_exports" ADD CONSTRAINT "database_exports_database_id_databases_database_id_fk" FOREIGN KEY ("database_id") REFERENCES "public"."databases"("database_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "database_exports" ADD CONSTRAINT "database_exports_workflow_id_workflows_workflow_id_fk" FOREIGN KEY ("workflow_id") REFERENCES "public"."workflows"("workflow_id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "database_imports" ADD CONSTRAINT "database_imports_database_id_databases_database_id_fk" FOREIGN KEY ("database_id") REFERENCES "public"."databases"("database_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "database_imports" ADD CONSTRAINT "database_imports_reverts_id_database_imports_database_import_id_fk" FOREIGN KEY ("reverts_id") REFERENCES "public"."database_imports"("database_import_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "database_imports" ADD CONSTRAINT "database_imports_workflow_id_workflows_workflow_id_fk" FOREIGN KEY ("workflow_id") REFERENCES "public"."workflows"("workflow_id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "database_exports_database" ON "database_exports" USING btree ("database_id","database_export_id");--> statement-breakpoint
CREATE INDEX "database_exports_workflow" ON "database_exports" USING btree ("workflow_id");--> statement-breakpoint
CREATE INDEX "database_exports_until" ON "database_exports" USING btree ("until") WHERE "database_exports"."status" = 'ready';--> statement-breakpoint
CREATE INDEX "database_imports_database" ON "database_imports" USING btree ("database_id","database_import_id");--> statement-breakpoint
CREATE INDEX "database_imports_workflow" ON "database_imports" USING btree ("workflow_id");--> statement-breakpoint
CREATE INDEX "database_imports_ready" ON "database_imports" USING btree ("updated_at") WHERE "database_imports"."status" = 'ready';--> statement-breakpoint
ALTER TABLE "database_users" ADD CONSTRAINT "database_users_workflow_id_workflows_workflow_id_fk" FOREIGN KEY ("workflow_id") REFERENCES "public"."workflows"("workflow_id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "databases" ADD CONSTRAINT "databases_workflow_id_workflows_workflow_id_fk" FOREIGN KEY ("workflow_id") REFERENCES "public"."workflows"("workflow_id") ON DELETE set null ON UPDATE no action;