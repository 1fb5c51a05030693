-- wrk's payments: one yen from each customer in turn, every request under a key of its own.

local file = assert(io.open(os.getenv("DEMO_JSON")))
local demo = file:read("a")
file:close()

local token = demo:match('"integration"%s*:%s*"([^"]+)"')
local customers, merchants = {}, {}
local town = demo:match('^(.-)"other_town"') or demo
for id in town:match('"customers"%s*:%s*(%b[])'):gmatch('"account_id"%s*:%s*"([^"]+)"') do
    customers[#customers + 1] = id
end
for id in town:match('"merchants"%s*:%s*(%b[])'):gmatch('"account_id"%s*:%s*"([^"]+)"') do
    merchants[#merchants + 1] = id
end

local threads = 0

function setup(thread)
    thread:set("id", threads)
    threads = threads + 1
end

local sent = 0

function request()
    sent = sent + 1
    local body = string.format(
        '{"payer":{"account_id":"%s"},"merchant_account_id":"%s","asset":"ECOPAY","amount":"1"}',
        customers[sent % #customers + 1],
        merchants[sent % #merchants + 1]
    )
    return wrk.format("POST", "/api/v1/payments", {
        ["Authorization"] = "Bearer " .. token,
        ["Content-Type"] = "application/json",
        ["Idempotency-Key"] = string.format("bench-%s-%d-%d", os.getenv("RUN"), id, sent),
    }, body)
end
