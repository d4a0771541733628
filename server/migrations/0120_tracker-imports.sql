CREATE TABLE "tracker_imported" (
	"tracker_import_id" integer NOT NULL,
	"item_id" integer NOT NULL,
	"act" text NOT NULL,
	"before" jsonb,
	"comments" integer NOT NULL,
	"history_id" integer NOT NULL,
	CONSTRAINT "tracker_imported_tracker_import_id_item_id_pk" PRIMARY KEY("tracker_import_id","item_id")
);
--> statement-breakpoint
CREATE TABLE "tracker_imports" (
	"tracker_import_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "tracker_imports_tracker_import_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"face" text NOT NULL,
	"name" text,
	"added" integer NOT NULL,
	"updated" integer NOT NULL,
	"skipped" integer NOT NULL,
	"undone_at" timestamp(3) with time zone,
	"undone_by" integer,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "tracker_items" ADD COLUMN "origin" text;--> statement-breakpoint
ALTER TABLE "tracker_imported" ADD CONSTRAINT "tracker_imported_tracker_import_id_tracker_imports_tracker_import_id_fk" FOREIGN KEY ("tracker_import_id") REFERENCES "public"."tracker_imports"("tracker_import_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tracker_imported" ADD CONSTRAINT "tracker_imported_item_id_tracker_items_tracker_item_id_fk" FOREIGN KEY ("item_id") REFERENCES "public"."tracker_items"("tracker_item_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "tracker_imported_item" ON "tracker_imported" USING btree ("item_id");--> statement-breakpoint
CREATE INDEX "tracker_imports_newest" ON "tracker_imports" USING btree ("face","tracker_import_id");--> statement-breakpoint
CREATE INDEX "tracker_items_origin" ON "tracker_items" USING btree ("face","origin") WHERE "tracker_items"."origin" is not null;--> statement-breakpoint
-- a leave of which later holidays or working days leave nothing stays, with no days
ALTER TABLE "leaves" DROP CONSTRAINT "leaves_in_order";--> statement-breakpoint
ALTER TABLE "leaves" ADD CONSTRAINT "leaves_in_order" CHECK ("start_date" <= "end_date" AND "halves" >= 0);
