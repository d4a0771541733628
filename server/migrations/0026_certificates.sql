CREATE TABLE "acme_accounts" (
	"acme_account_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "acme_accounts_acme_account_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"directory" text NOT NULL,
	"url" text NOT NULL,
	"thumbprint" text NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "certificate_orders" (
	"certificate_order_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "certificate_orders_certificate_order_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"certificate_id" integer NOT NULL,
	"workflow_id" integer,
	"at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"outcome" text NOT NULL,
	"directory" text,
	"names" text[] NOT NULL,
	"domains" text[] DEFAULT '{}' NOT NULL,
	"refused_names" text[] DEFAULT '{}' NOT NULL,
	"renewal" boolean DEFAULT false NOT NULL,
	"ordered" boolean DEFAULT false NOT NULL,
	"missing" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"reason" text,
	"secret" text,
	"chain" text,
	"fingerprint" text,
	"not_after" timestamp(3) with time zone,
	"planted" jsonb DEFAULT '[]'::jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "certificates" (
	"certificate_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "certificates_certificate_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"website_id" integer NOT NULL,
	"domain" text NOT NULL,
	"kind" text NOT NULL,
	"state" text NOT NULL,
	"names" text[] NOT NULL,
	"search" text NOT NULL,
	"extra_names" text[] DEFAULT '{}' NOT NULL,
	"chain" text,
	"secret" text,
	"issuer" text,
	"fingerprint" text,
	"not_before" timestamp(3) with time zone,
	"not_after" timestamp(3) with time zone,
	"expiring_at" timestamp(3) with time zone,
	"email" text,
	"auto_renew" boolean NOT NULL,
	"vhost_aliases" boolean NOT NULL,
	"renew_at" timestamp(3) with time zone,
	"window_start" timestamp(3) with time zone,
	"window_end" timestamp(3) with time zone,
	"window_asked_at" timestamp(3) with time zone,
	"failures" integer DEFAULT 0 NOT NULL,
	"reason" text,
	"missing" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"workflow_id" integer,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE TABLE "site_certificates" (
	"website_id" integer NOT NULL,
	"certificate_id" integer NOT NULL,
	"redirect" boolean NOT NULL,
	"hsts_days" integer DEFAULT 0 NOT NULL,
	"installed_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "site_certificates_website_id_pk" PRIMARY KEY("website_id")
);
--> statement-breakpoint
ALTER TABLE "certificate_orders" ADD CONSTRAINT "certificate_orders_certificate_id_certificates_certificate_id_fk" FOREIGN KEY ("certificate_id") REFERENCES "public"."certificates"("certificate_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "certificates" ADD CONSTRAINT "certificates_website_id_websites_website_id_fk" FOREIGN KEY ("website_id") REFERENCES "public"."websites"("website_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_certificates" ADD CONSTRAINT "site_certificates_website_id_websites_website_id_fk" FOREIGN KEY ("website_id") REFERENCES "public"."websites"("website_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_certificates" ADD CONSTRAINT "site_certificates_certificate_id_certificates_certificate_id_fk" FOREIGN KEY ("certificate_id") REFERENCES "public"."certificates"("certificate_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "acme_accounts_directory" ON "acme_accounts" USING btree ("directory");--> statement-breakpoint
CREATE INDEX "certificate_orders_of" ON "certificate_orders" USING btree ("certificate_id","certificate_order_id");--> statement-breakpoint
CREATE INDEX "certificate_orders_workflow" ON "certificate_orders" USING btree ("workflow_id");--> statement-breakpoint
CREATE INDEX "certificate_orders_at" ON "certificate_orders" USING btree ("directory","at") WHERE "certificate_orders"."directory" is not null;--> statement-breakpoint
CREATE INDEX "certificates_website" ON "certificates" USING btree ("website_id","certificate_id") WHERE "certificates"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "certificates_created" ON "certificates" USING btree ("created_at","certificate_id") WHERE "certificates"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "certificates_domain" ON "certificates" USING btree ("domain","certificate_id") WHERE "certificates"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "certificates_end" ON "certificates" USING btree ("not_after","certificate_id") WHERE "certificates"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "certificates_kind" ON "certificates" USING btree ("kind","created_at","certificate_id") WHERE "certificates"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "certificates_state" ON "certificates" USING btree ("state","created_at","certificate_id") WHERE "certificates"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "certificates_renew" ON "certificates" USING btree ("renew_at") WHERE "certificates"."deleted_at" is null and "certificates"."auto_renew";--> statement-breakpoint
CREATE INDEX "certificates_search" ON "certificates" USING gin ("search" gin_trgm_ops) WHERE "certificates"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "site_certificates_of" ON "site_certificates" USING btree ("certificate_id");