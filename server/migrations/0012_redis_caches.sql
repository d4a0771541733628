CREATE TABLE "redis_caches" (
	"website_id" integer PRIMARY KEY NOT NULL,
	"state" text NOT NULL,
	"seen" jsonb,
	"seen_at" timestamp(3) with time zone,
	"problem" text,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "redis_caches" ADD CONSTRAINT "redis_caches_website_id_websites_website_id_fk" FOREIGN KEY ("website_id") REFERENCES "public"."websites"("website_id") ON DELETE no action ON UPDATE no action;