CREATE TABLE "agent_calls" (
	"server_id" integer NOT NULL,
	"lane" text NOT NULL,
	"call" bigint NOT NULL,
	CONSTRAINT "agent_calls_server_id_lane_pk" PRIMARY KEY("server_id","lane")
);
