CREATE TABLE "api_tokens" (
	"api_token_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "api_tokens_api_token_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"user_id" integer NOT NULL,
	"begins" text NOT NULL,
	"hash" text NOT NULL,
	"previous_hash" text,
	"previous_until" timestamp(3) with time zone,
	"scopes" text[] NOT NULL,
	"department_id" integer,
	"networks" text[] DEFAULT '{}' NOT NULL,
	"per_minute" integer NOT NULL,
	"expires_at" timestamp(3) with time zone NOT NULL,
	"revoked_at" timestamp(3) with time zone,
	"told_at" timestamp(3) with time zone,
	"last_used_at" timestamp(3) with time zone,
	"last_used_ip" text,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "api_tokens_hash_unique" UNIQUE("hash"),
	CONSTRAINT "api_tokens_previousHash_unique" UNIQUE("previous_hash")
);
--> statement-breakpoint
CREATE TABLE "service_accounts" (
	"service_account_id" integer PRIMARY KEY NOT NULL,
	"description" text,
	"owner_id" integer NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_attempts" (
	"webhook_attempt_id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "webhook_attempts_webhook_attempt_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"delivery_id" bigint NOT NULL,
	"at" timestamp(3) with time zone NOT NULL,
	"ms" integer NOT NULL,
	"status" integer,
	"body" text,
	"error" text
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"webhook_delivery_id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "webhook_deliveries_webhook_delivery_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"webhook_id" integer NOT NULL,
	"domain" text NOT NULL,
	"object_id" integer,
	"state" text DEFAULT 'waiting' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"changed_at" timestamp(3) with time zone NOT NULL,
	"next_at" timestamp(3) with time zone NOT NULL,
	"ended_at" timestamp(3) with time zone,
	"status" integer
);
--> statement-breakpoint
CREATE TABLE "webhooks" (
	"webhook_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "webhooks_webhook_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"url" text NOT NULL,
	"owner_id" integer NOT NULL,
	"domains" text[] DEFAULT '{}' NOT NULL,
	"state" text DEFAULT 'active' NOT NULL,
	"paused_because" text,
	"old_secret_until" timestamp(3) with time zone,
	"failing_since" timestamp(3) with time zone,
	"last_delivered_at" timestamp(3) with time zone,
	"told_at" timestamp(3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"actor" text NOT NULL,
	"key" text NOT NULL,
	"request" text NOT NULL,
	"status" integer NOT NULL,
	"answer" text NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "idempotency_keys_actor_key_pk" PRIMARY KEY("actor","key")
);
--> statement-breakpoint
CREATE TABLE "announced_changes" (
	"announced_change_id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "announced_changes_announced_change_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"domain" text NOT NULL,
	"object_id" integer,
	"at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "is_service" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "api_tokens" ADD CONSTRAINT "api_tokens_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_tokens" ADD CONSTRAINT "api_tokens_department_id_departments_department_id_fk" FOREIGN KEY ("department_id") REFERENCES "public"."departments"("department_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "service_accounts" ADD CONSTRAINT "service_accounts_service_account_id_users_user_id_fk" FOREIGN KEY ("service_account_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "service_accounts" ADD CONSTRAINT "service_accounts_owner_id_users_user_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_delivery_id_webhook_deliveries_webhook_delivery_id_fk" FOREIGN KEY ("delivery_id") REFERENCES "public"."webhook_deliveries"("webhook_delivery_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_webhook_id_webhooks_webhook_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."webhooks"("webhook_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_owner_id_users_user_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "api_tokens_unique_name" ON "api_tokens" USING btree ("user_id",lower("name")) WHERE "api_tokens"."revoked_at" is null;--> statement-breakpoint
CREATE INDEX "api_tokens_user" ON "api_tokens" USING btree ("user_id","created_at","api_token_id");--> statement-breakpoint
CREATE INDEX "api_tokens_created" ON "api_tokens" USING btree ("created_at","api_token_id");--> statement-breakpoint
CREATE INDEX "api_tokens_name" ON "api_tokens" USING btree ("name","api_token_id");--> statement-breakpoint
CREATE INDEX "api_tokens_expires" ON "api_tokens" USING btree ("expires_at","api_token_id");--> statement-breakpoint
CREATE INDEX "api_tokens_used" ON "api_tokens" USING btree (coalesce("last_used_at", 'epoch'),"api_token_id");--> statement-breakpoint
CREATE INDEX "service_accounts_owner" ON "service_accounts" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "service_accounts_created" ON "service_accounts" USING btree ("created_at","service_account_id");--> statement-breakpoint
CREATE INDEX "webhook_attempts_delivery" ON "webhook_attempts" USING btree ("delivery_id","webhook_attempt_id");--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_deliveries_waiting" ON "webhook_deliveries" USING btree ("webhook_id","domain",coalesce("object_id", 0)) WHERE "webhook_deliveries"."state" = 'waiting';--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_deliveries_sending" ON "webhook_deliveries" USING btree ("webhook_id","domain",coalesce("object_id", 0)) WHERE "webhook_deliveries"."state" = 'sending';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" USING btree ("webhook_id","next_at") WHERE "webhook_deliveries"."state" in ('waiting', 'sending');--> statement-breakpoint
CREATE INDEX "webhook_deliveries_webhook" ON "webhook_deliveries" USING btree ("webhook_id","webhook_delivery_id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_state" ON "webhook_deliveries" USING btree ("webhook_id","state","webhook_delivery_id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_ended" ON "webhook_deliveries" USING btree ("ended_at");--> statement-breakpoint
CREATE INDEX "webhooks_name" ON "webhooks" USING btree ("name","webhook_id") WHERE "webhooks"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "webhooks_created" ON "webhooks" USING btree ("created_at","webhook_id") WHERE "webhooks"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "webhooks_owner" ON "webhooks" USING btree ("owner_id") WHERE "webhooks"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "idempotency_keys_created" ON "idempotency_keys" USING btree ("created_at");
--> statement-breakpoint
-- tells open screens of a change, and keeps the change for webhooks that want its kind; see server/kit/live/live.ts
CREATE FUNCTION announce_change(domain text, id integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('live', json_strip_nulls(json_build_object('event', 'changed',
    'data', json_build_object('domain', $1, 'id', nullif($2, 0))))::text);
  -- not of webhooks, whose deliveries would announce each other without end
  IF $1 <> 'webhooks' AND EXISTS (SELECT FROM webhooks w WHERE w.deleted_at IS NULL AND (w.domains = '{}' OR $1 = ANY (w.domains))) THEN
    INSERT INTO announced_changes (domain, object_id) VALUES ($1, nullif($2, 0));
  END IF;
END $$;
