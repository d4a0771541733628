CREATE TABLE "adoption_places" (
	"adoption_place_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "adoption_places_adoption_place_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"adoption_id" integer NOT NULL,
	"account" text NOT NULL,
	"domain" text NOT NULL,
	"website_id" integer NOT NULL,
	"aliases" jsonb NOT NULL,
	"status" text DEFAULT 'taking' NOT NULL,
	"reason" text,
	"staff_name" text NOT NULL,
	"workflow_id" integer,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "adoption_places" ADD CONSTRAINT "adoption_places_adoption_id_adoptions_adoption_id_fk" FOREIGN KEY ("adoption_id") REFERENCES "public"."adoptions"("adoption_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "adoption_places" ADD CONSTRAINT "adoption_places_website_id_websites_website_id_fk" FOREIGN KEY ("website_id") REFERENCES "public"."websites"("website_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "adoption_places" ADD CONSTRAINT "adoption_places_workflow_id_workflows_workflow_id_fk" FOREIGN KEY ("workflow_id") REFERENCES "public"."workflows"("workflow_id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "adoption_places_adoption" ON "adoption_places" USING btree ("adoption_id","adoption_place_id");--> statement-breakpoint
CREATE INDEX "adoption_places_website" ON "adoption_places" USING btree ("website_id");--> statement-breakpoint
CREATE INDEX "adoption_places_workflow" ON "adoption_places" USING btree ("workflow_id");