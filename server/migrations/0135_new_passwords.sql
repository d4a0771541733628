CREATE TABLE "new_passwords" (
	"new_password_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "new_passwords_new_password_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"import_id" integer NOT NULL,
	"kind" text NOT NULL,
	"account_id" integer NOT NULL,
	"login" text NOT NULL,
	"set_at" timestamp(3) with time zone,
	"until" timestamp(3) with time zone DEFAULT now() + interval '30 days' NOT NULL,
	"link_hash" text,
	"made_at" timestamp(3) with time zone,
	"made_by" text,
	"opened_at" timestamp(3) with time zone,
	"opened_from" text,
	"opened_by" text,
	"revoked_at" timestamp(3) with time zone
);
--> statement-breakpoint
ALTER TABLE "new_passwords" ADD CONSTRAINT "new_passwords_import_id_archive_imports_archive_import_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."archive_imports"("archive_import_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "new_passwords_import" ON "new_passwords" USING btree ("import_id","new_password_id");--> statement-breakpoint
CREATE UNIQUE INDEX "new_passwords_link" ON "new_passwords" USING btree ("link_hash");--> statement-breakpoint
CREATE INDEX "new_passwords_until" ON "new_passwords" USING btree ("until");