CREATE TABLE "leave_approver_lists" (
	"leave_approver_list_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "leave_approver_lists_leave_approver_list_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"department_id" integer,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "leave_approvers" (
	"leave_approver_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "leave_approvers_leave_approver_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"leave_approver_list_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"substitute_id" integer,
	"position" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "leave_cancellations" (
	"leave_cancellation_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "leave_cancellations_leave_cancellation_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"leave_id" integer NOT NULL,
	"reason" text,
	"status" text DEFAULT 'pending' NOT NULL,
	"reviewed_by" integer,
	"reviewed_at" timestamp(3) with time zone,
	"comment" text,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "leave_entitlements" (
	"leave_entitlement_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "leave_entitlements_leave_entitlement_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"leave_type_id" integer NOT NULL,
	"halves" integer,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "leave_feeds" (
	"user_id" integer PRIMARY KEY NOT NULL,
	"hash" text NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"last_read_at" timestamp(3) with time zone,
	CONSTRAINT "leave_feeds_hash_unique" UNIQUE("hash")
);
--> statement-breakpoint
CREATE TABLE "leave_ledger" (
	"leave_entry_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "leave_ledger_leave_entry_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"leave_type_id" integer NOT NULL,
	"year" integer NOT NULL,
	"halves" integer NOT NULL,
	"kind" text NOT NULL,
	"leave_id" integer,
	"note" text,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer
);
--> statement-breakpoint
CREATE TABLE "leave_types" (
	"leave_type_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "leave_types_leave_type_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"code" text NOT NULL,
	"name" text NOT NULL,
	"is_paid" boolean NOT NULL,
	"document_from_halves" integer,
	"deducts_balance" boolean NOT NULL,
	"allow_negative" boolean DEFAULT false NOT NULL,
	"counts_every_day" boolean DEFAULT false NOT NULL,
	"half_days" boolean DEFAULT true NOT NULL,
	"yearly_halves" integer DEFAULT 0 NOT NULL,
	"carry_halves_max" integer DEFAULT 0 NOT NULL,
	"carry_until" text,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "leave_types_code_unique" UNIQUE("code")
);
--> statement-breakpoint
CREATE TABLE "leaves" (
	"leave_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "leaves_leave_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"leave_type_id" integer NOT NULL,
	"start_date" date NOT NULL,
	"end_date" date NOT NULL,
	"start_part" text NOT NULL,
	"end_part" text NOT NULL,
	"halves" integer NOT NULL,
	"reason" text,
	"document_key" text,
	"document_name" text,
	"document_type" text,
	"document_size" bigint,
	"document_sha256" text,
	"status" text DEFAULT 'pending' NOT NULL,
	"reviewed_by" integer,
	"reviewed_at" timestamp(3) with time zone,
	"comment" text,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "leave_approver_lists" ADD CONSTRAINT "leave_approver_lists_department_id_departments_department_id_fk" FOREIGN KEY ("department_id") REFERENCES "public"."departments"("department_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "leave_approvers" ADD CONSTRAINT "leave_approvers_leave_approver_list_id_leave_approver_lists_leave_approver_list_id_fk" FOREIGN KEY ("leave_approver_list_id") REFERENCES "public"."leave_approver_lists"("leave_approver_list_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "leave_approvers" ADD CONSTRAINT "leave_approvers_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "leave_approvers" ADD CONSTRAINT "leave_approvers_substitute_id_users_user_id_fk" FOREIGN KEY ("substitute_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "leave_cancellations" ADD CONSTRAINT "leave_cancellations_leave_id_leaves_leave_id_fk" FOREIGN KEY ("leave_id") REFERENCES "public"."leaves"("leave_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "leave_cancellations" ADD CONSTRAINT "leave_cancellations_reviewed_by_users_user_id_fk" FOREIGN KEY ("reviewed_by") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "leave_entitlements" ADD CONSTRAINT "leave_entitlements_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "leave_entitlements" ADD CONSTRAINT "leave_entitlements_leave_type_id_leave_types_leave_type_id_fk" FOREIGN KEY ("leave_type_id") REFERENCES "public"."leave_types"("leave_type_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "leave_feeds" ADD CONSTRAINT "leave_feeds_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "leave_ledger" ADD CONSTRAINT "leave_ledger_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "leave_ledger" ADD CONSTRAINT "leave_ledger_leave_type_id_leave_types_leave_type_id_fk" FOREIGN KEY ("leave_type_id") REFERENCES "public"."leave_types"("leave_type_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "leave_ledger" ADD CONSTRAINT "leave_ledger_leave_id_leaves_leave_id_fk" FOREIGN KEY ("leave_id") REFERENCES "public"."leaves"("leave_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "leaves" ADD CONSTRAINT "leaves_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "leaves" ADD CONSTRAINT "leaves_leave_type_id_leave_types_leave_type_id_fk" FOREIGN KEY ("leave_type_id") REFERENCES "public"."leave_types"("leave_type_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "leaves" ADD CONSTRAINT "leaves_reviewed_by_users_user_id_fk" FOREIGN KEY ("reviewed_by") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "leave_approver_lists_once" ON "leave_approver_lists" USING btree (coalesce("department_id", 0));--> statement-breakpoint
CREATE UNIQUE INDEX "leave_approvers_once" ON "leave_approvers" USING btree ("leave_approver_list_id","user_id");--> statement-breakpoint
CREATE INDEX "leave_approvers_user" ON "leave_approvers" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "leave_approvers_substitute" ON "leave_approvers" USING btree ("substitute_id");--> statement-breakpoint
CREATE INDEX "leave_cancellations_leave" ON "leave_cancellations" USING btree ("leave_id","leave_cancellation_id");--> statement-breakpoint
CREATE UNIQUE INDEX "leave_cancellations_waiting" ON "leave_cancellations" USING btree ("leave_id") WHERE "leave_cancellations"."status" = 'pending';--> statement-breakpoint
CREATE UNIQUE INDEX "leave_entitlements_once" ON "leave_entitlements" USING btree ("user_id","leave_type_id");--> statement-breakpoint
CREATE INDEX "leave_ledger_account" ON "leave_ledger" USING btree ("user_id","year","leave_type_id");--> statement-breakpoint
CREATE INDEX "leave_ledger_leave" ON "leave_ledger" USING btree ("leave_id") WHERE "leave_ledger"."leave_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "leave_ledger_grant" ON "leave_ledger" USING btree ("user_id","leave_type_id","year") WHERE "leave_ledger"."kind" = 'grant';--> statement-breakpoint
CREATE INDEX "leaves_start" ON "leaves" USING btree ("start_date","leave_id");--> statement-breakpoint
CREATE INDEX "leaves_end" ON "leaves" USING btree ("end_date","leave_id");--> statement-breakpoint
CREATE INDEX "leaves_created" ON "leaves" USING btree ("created_at","leave_id");--> statement-breakpoint
CREATE INDEX "leaves_halves" ON "leaves" USING btree ("halves","leave_id");--> statement-breakpoint
CREATE INDEX "leaves_user" ON "leaves" USING btree ("user_id","start_date","leave_id");--> statement-breakpoint
CREATE INDEX "leaves_type" ON "leaves" USING btree ("leave_type_id","start_date","leave_id");--> statement-breakpoint
CREATE INDEX "leaves_status" ON "leaves" USING btree ("status","start_date","leave_id");--> statement-breakpoint
CREATE INDEX "leaves_pending" ON "leaves" USING btree ("created_at","leave_id") WHERE "leaves"."status" = 'pending';--> statement-breakpoint
-- two leaves of one person that are asked for or approved never share half a day; half days are counted from 2000 on
ALTER TABLE "leaves" ADD CONSTRAINT "leaves_apart" EXCLUDE USING gist (int4range("user_id", "user_id", '[]') WITH &&, int4range(("start_date" - date '2000-01-01') * 2 + ("start_part" = 'afternoon')::int, ("end_date" - date '2000-01-01') * 2 + ("end_part" <> 'morning')::int, '[]') WITH &&) WHERE ("status" IN ('pending', 'approved'));--> statement-breakpoint
ALTER TABLE "leaves" ADD CONSTRAINT "leaves_in_order" CHECK ("start_date" <= "end_date" AND "halves" > 0);--> statement-breakpoint
INSERT INTO leave_types (code, name, is_paid, document_from_halves, deducts_balance, counts_every_day, half_days, yearly_halves, carry_halves_max, carry_until) VALUES
  ('paid', 'Paid leave', true, NULL, true, false, true, 50, 10, '06-30'),
  ('unpaid', 'Unpaid leave', false, NULL, false, false, true, 0, 0, NULL),
  ('sick', 'Sick leave', true, 8, false, false, true, 0, 0, NULL),
  ('maternity', 'Maternity leave', true, 2, false, true, false, 0, 0, NULL),
  ('paternity', 'Paternity leave', true, NULL, false, true, false, 0, 0, NULL),
  ('compensatory', 'Time off in lieu', true, NULL, true, false, true, 0, 20, NULL),
  ('study', 'Study leave', true, NULL, true, false, true, 6, 0, NULL),
  ('special', 'Special leave', true, NULL, true, false, true, 6, 0, NULL);
