CREATE TABLE "guessers" (
	"service" text NOT NULL,
	"server_id" integer NOT NULL,
	"address" text NOT NULL,
	"tries" integer NOT NULL,
	"pairs" text[] DEFAULT '{}' NOT NULL,
	"first_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"last_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "guessers_service_server_id_address_pk" PRIMARY KEY("service","server_id","address")
);
--> statement-breakpoint
CREATE TABLE "mail_servers" (
	"server_id" integer PRIMARY KEY NOT NULL,
	"read_until" timestamp(3) with time zone NOT NULL,
	"read_at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "ip_sets" ADD COLUMN "ports" integer[];--> statement-breakpoint
ALTER TABLE "guessers" ADD CONSTRAINT "guessers_server_id_servers_server_id_fk" FOREIGN KEY ("server_id") REFERENCES "public"."servers"("server_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_servers" ADD CONSTRAINT "mail_servers_server_id_servers_server_id_fk" FOREIGN KEY ("server_id") REFERENCES "public"."servers"("server_id") ON DELETE no action ON UPDATE no action;