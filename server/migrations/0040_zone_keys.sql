ALTER TABLE "zone_states" ADD COLUMN "why" text;--> statement-breakpoint
ALTER TABLE "zones" ADD COLUMN "keys" jsonb DEFAULT '[]'::jsonb NOT NULL;