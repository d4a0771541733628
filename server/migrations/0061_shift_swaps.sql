CREATE TABLE "shift_swaps" (
	"shift_swap_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "shift_swaps_shift_swap_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"status" text DEFAULT 'offered' NOT NULL,
	"from_user_id" integer NOT NULL,
	"from_shift_id" integer NOT NULL,
	"from_date" date NOT NULL,
	"from_text" text NOT NULL,
	"from_starts_at" timestamp(3) with time zone NOT NULL,
	"from_ends_at" timestamp(3) with time zone NOT NULL,
	"to_user_id" integer NOT NULL,
	"to_shift_id" integer,
	"to_date" date,
	"to_text" text,
	"to_starts_at" timestamp(3) with time zone,
	"to_ends_at" timestamp(3) with time zone,
	"note" text,
	"message" text,
	"decided_by" text,
	"batch_id" integer,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "shift_wishes" (
	"shift_wish_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "shift_wishes_shift_wish_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"kind" text NOT NULL,
	"start_date" date NOT NULL,
	"end_date" date NOT NULL,
	"weekdays" integer[] NOT NULL,
	"shift_type_id" integer,
	"note" text,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp(3) with time zone
);
--> statement-breakpoint
ALTER TABLE "shift_settings" ADD COLUMN "swaps" text DEFAULT 'approve' NOT NULL;--> statement-breakpoint
ALTER TABLE "shift_wishes" ADD CONSTRAINT "shift_wishes_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shift_wishes" ADD CONSTRAINT "shift_wishes_shift_type_id_shift_types_shift_type_id_fk" FOREIGN KEY ("shift_type_id") REFERENCES "public"."shift_types"("shift_type_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "shift_swaps_open" ON "shift_swaps" USING btree ("from_shift_id") WHERE "shift_swaps"."status" in ('offered', 'accepted');--> statement-breakpoint
CREATE INDEX "shift_swaps_from" ON "shift_swaps" USING btree ("from_user_id","shift_swap_id");--> statement-breakpoint
CREATE INDEX "shift_swaps_to" ON "shift_swaps" USING btree ("to_user_id","shift_swap_id");--> statement-breakpoint
CREATE INDEX "shift_swaps_updated" ON "shift_swaps" USING btree ("updated_at","shift_swap_id");--> statement-breakpoint
CREATE INDEX "shift_wishes_user" ON "shift_wishes" USING btree ("user_id","end_date") WHERE "shift_wishes"."deleted_at" is null;