CREATE TABLE "adoption_imports" (
	"adoption_id" integer NOT NULL,
	"import_id" integer NOT NULL,
	"account" text NOT NULL,
	CONSTRAINT "adoption_imports_adoption_id_import_id_pk" PRIMARY KEY("adoption_id","import_id")
);
--> statement-breakpoint
CREATE TABLE "adoptions" (
	"adoption_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "adoptions_adoption_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"server_id" integer NOT NULL,
	"status" text DEFAULT 'looking' NOT NULL,
	"found" jsonb,
	"elsewhere" jsonb,
	"checked_at" timestamp(3) with time zone,
	"reason" text,
	"staff_name" text NOT NULL,
	"workflow_id" integer,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "adoption_imports" ADD CONSTRAINT "adoption_imports_adoption_id_adoptions_adoption_id_fk" FOREIGN KEY ("adoption_id") REFERENCES "public"."adoptions"("adoption_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "adoption_imports" ADD CONSTRAINT "adoption_imports_import_id_archive_imports_archive_import_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."archive_imports"("archive_import_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "adoptions" ADD CONSTRAINT "adoptions_server_id_servers_server_id_fk" FOREIGN KEY ("server_id") REFERENCES "public"."servers"("server_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "adoptions" ADD CONSTRAINT "adoptions_workflow_id_workflows_workflow_id_fk" FOREIGN KEY ("workflow_id") REFERENCES "public"."workflows"("workflow_id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "adoption_imports_import" ON "adoption_imports" USING btree ("import_id");--> statement-breakpoint
CREATE UNIQUE INDEX "adoptions_server" ON "adoptions" USING btree ("server_id");--> statement-breakpoint
CREATE INDEX "adoptions_created" ON "adoptions" USING btree ("created_at","adoption_id");--> statement-breakpoint
CREATE INDEX "adoptions_status" ON "adoptions" USING btree ("status","created_at","adoption_id");--> statement-breakpoint
CREATE INDEX "adoptions_due" ON "adoptions" USING btree ("checked_at") WHERE "adoptions"."status" = 'ready';--> statement-breakpoint
CREATE INDEX "adoptions_workflow" ON "adoptions" USING btree ("workflow_id");--> statement-breakpoint
INSERT INTO "server_types" ("name", "services") VALUES ('adopted', '{}') ON CONFLICT DO NOTHING;
