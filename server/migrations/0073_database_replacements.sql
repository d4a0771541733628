CREATE TABLE "database_replacements" (
	"database_replacement_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "database_replacements_database_replacement_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"website_id" integer NOT NULL,
	"server_id" integer NOT NULL,
	"from" text NOT NULL,
	"to" text NOT NULL,
	"how" text NOT NULL,
	"status" text NOT NULL,
	"databases" jsonb NOT NULL,
	"staff_name" text NOT NULL,
	"kept_until" timestamp(3) with time zone NOT NULL,
	"workflow_id" integer,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "database_replacements" ADD CONSTRAINT "database_replacements_website_id_websites_website_id_fk" FOREIGN KEY ("website_id") REFERENCES "public"."websites"("website_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "database_replacements" ADD CONSTRAINT "database_replacements_server_id_servers_server_id_fk" FOREIGN KEY ("server_id") REFERENCES "public"."servers"("server_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "database_replacements" ADD CONSTRAINT "database_replacements_workflow_id_workflows_workflow_id_fk" FOREIGN KEY ("workflow_id") REFERENCES "public"."workflows"("workflow_id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "database_replacements_website" ON "database_replacements" USING btree ("website_id","database_replacement_id");--> statement-breakpoint
CREATE INDEX "database_replacements_workflow" ON "database_replacements" USING btree ("workflow_id");