CREATE TABLE "encryption_keys" (
	"only" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"proof" text NOT NULL,
	"former_proof" text,
	"next" text,
	"former" text,
	"since" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "encryption_keys_one" CHECK ("encryption_keys"."only" = 1)
);
--> statement-breakpoint
ALTER TABLE "secrets" ADD COLUMN "lost_at" timestamp(3) with time zone;