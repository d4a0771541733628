CREATE TABLE "own_rules" (
	"website_id" integer NOT NULL,
	"number" integer NOT NULL,
	"nginx" text NOT NULL,
	"apache" text NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"staff_name" text NOT NULL,
	"created_by" integer,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "own_rules_website_id_number_pk" PRIMARY KEY("website_id","number")
);
--> statement-breakpoint
ALTER TABLE "origin_vhosts" ADD COLUMN "application" text;--> statement-breakpoint
ALTER TABLE "origin_vhosts" ADD COLUMN "rules_number" integer;--> statement-breakpoint
ALTER TABLE "websites" ADD COLUMN "found_application" text;--> statement-breakpoint
ALTER TABLE "websites" ADD COLUMN "look_at" timestamp(3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "own_rules" ADD CONSTRAINT "own_rules_website_id_websites_website_id_fk" FOREIGN KEY ("website_id") REFERENCES "public"."websites"("website_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "websites_look" ON "websites" USING btree ("look_at") WHERE "websites"."status" = 'active' and "websites"."kind" <> 'alias' and "websites"."deleted_at" is null;