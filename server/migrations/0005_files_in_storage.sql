CREATE TABLE "blobs" (
	"key" text PRIMARY KEY NOT NULL,
	"state" text DEFAULT 'arriving' NOT NULL,
	"name" text NOT NULL,
	"type" text NOT NULL,
	"size" bigint DEFAULT 0 NOT NULL,
	"sha256" text DEFAULT '' NOT NULL,
	"open" boolean DEFAULT false NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"touched_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE INDEX "blobs_leaving" ON "blobs" USING btree ("touched_at") WHERE "blobs"."state" <> 'kept';