CREATE TABLE "merges" (
	"merge_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "merges_merge_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"staging_id" integer NOT NULL,
	"website_id" integer NOT NULL,
	"status" text NOT NULL,
	"files" boolean NOT NULL,
	"tables" jsonb NOT NULL,
	"by" text NOT NULL,
	"kept_until" timestamp(3) with time zone NOT NULL,
	"workflow_id" integer,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "stagings" (
	"website_id" integer PRIMARY KEY NOT NULL,
	"live_id" integer NOT NULL,
	"copied_at" timestamp(3) with time zone,
	"report" jsonb,
	"tables" jsonb
);
--> statement-breakpoint
ALTER TABLE "databases" ADD COLUMN "copy_of_id" integer;--> statement-breakpoint
ALTER TABLE "merges" ADD CONSTRAINT "merges_staging_id_websites_website_id_fk" FOREIGN KEY ("staging_id") REFERENCES "public"."websites"("website_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "merges" ADD CONSTRAINT "merges_website_id_websites_website_id_fk" FOREIGN KEY ("website_id") REFERENCES "public"."websites"("website_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "merges" ADD CONSTRAINT "merges_workflow_id_workflows_workflow_id_fk" FOREIGN KEY ("workflow_id") REFERENCES "public"."workflows"("workflow_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stagings" ADD CONSTRAINT "stagings_website_id_websites_website_id_fk" FOREIGN KEY ("website_id") REFERENCES "public"."websites"("website_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stagings" ADD CONSTRAINT "stagings_live_id_websites_website_id_fk" FOREIGN KEY ("live_id") REFERENCES "public"."websites"("website_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "merges_website" ON "merges" USING btree ("website_id","merge_id");--> statement-breakpoint
CREATE INDEX "merges_workflow" ON "merges" USING btree ("workflow_id");--> statement-breakpoint
CREATE INDEX "stagings_live" ON "stagings" USING btree ("live_id");--> statement-breakpoint
ALTER TABLE "databases" ADD CONSTRAINT "databases_copy_of_id_databases_database_id_fk" FOREIGN KEY ("copy_of_id") REFERENCES "public"."databases"("database_id") ON DELETE no action ON UPDATE no action;