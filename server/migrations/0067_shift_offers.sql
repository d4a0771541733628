ALTER TABLE "shift_swaps" ALTER COLUMN "to_user_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "shift_swaps" ADD COLUMN "to_all" boolean DEFAULT false NOT NULL;