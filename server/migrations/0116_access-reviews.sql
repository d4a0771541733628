CREATE TABLE "access_review_items" (
	"access_review_item_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "access_review_items_access_review_item_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"review_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"kind" text NOT NULL,
	"ref_id" integer,
	"name" text NOT NULL,
	"source" text NOT NULL,
	"scopes" text[] NOT NULL,
	"unused" text[] NOT NULL,
	"last_used_at" timestamp(3) with time zone,
	"is_proposed" boolean NOT NULL,
	"decision" text,
	"decided_by_id" integer,
	"decided_at" timestamp(3) with time zone,
	"note" text,
	"outcome" text
);
--> statement-breakpoint
CREATE TABLE "access_reviews" (
	"access_review_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "access_reviews_access_review_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"unused_days" integer NOT NULL,
	"due_on" date NOT NULL,
	"reviewer_id" integer NOT NULL,
	"is_cancelled" boolean DEFAULT false NOT NULL,
	"ended_at" timestamp(3) with time zone,
	"ended_by_id" integer,
	"reminded_at" timestamp(3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "permission_uses" (
	"user_id" integer NOT NULL,
	"scope" text NOT NULL,
	"first_at" timestamp(3) with time zone NOT NULL,
	"last_at" timestamp(3) with time zone NOT NULL,
	CONSTRAINT "permission_uses_user_id_scope_pk" PRIMARY KEY("user_id","scope")
);
--> statement-breakpoint
ALTER TABLE "access_review_items" ADD CONSTRAINT "access_review_items_review_id_access_reviews_access_review_id_fk" FOREIGN KEY ("review_id") REFERENCES "public"."access_reviews"("access_review_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "access_review_items" ADD CONSTRAINT "access_review_items_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "access_review_items" ADD CONSTRAINT "access_review_items_decided_by_id_users_user_id_fk" FOREIGN KEY ("decided_by_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "access_reviews" ADD CONSTRAINT "access_reviews_reviewer_id_users_user_id_fk" FOREIGN KEY ("reviewer_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "access_reviews" ADD CONSTRAINT "access_reviews_ended_by_id_users_user_id_fk" FOREIGN KEY ("ended_by_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "permission_uses" ADD CONSTRAINT "permission_uses_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "access_review_items_user" ON "access_review_items" USING btree ("review_id","user_id","access_review_item_id");--> statement-breakpoint
CREATE INDEX "access_review_items_used" ON "access_review_items" USING btree ("review_id",coalesce("last_used_at", 'epoch'),"access_review_item_id");--> statement-breakpoint
CREATE INDEX "access_reviews_created" ON "access_reviews" USING btree ("created_at","access_review_id");--> statement-breakpoint
CREATE INDEX "access_reviews_due" ON "access_reviews" USING btree ("due_on","access_review_id");--> statement-breakpoint
CREATE INDEX "access_reviews_open" ON "access_reviews" USING btree ("access_review_id") WHERE "access_reviews"."ended_at" is null;