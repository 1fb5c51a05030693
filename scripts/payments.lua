-- wrk's payments: one yen from each customer in turn, every request under a key of its own. With CHARGE set, each thread
-- begins with a charge for every customer: enough for some 120,000 payments, and below the cap.

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

local function post(path, body)
    return wrk.format("POST", path, {
        ["Authorization"] = "Bearer " .. token,
        ["Content-Type"] = "application/json",
        ["Idempotency-Key"] = string.format("bench-%s-%d-%d", os.getenv("RUN"), id, sent),
    }, body)
end

function request()
    sent = sent + 1
    local customer = customers[sent % #customers + 1]
    -- The first request of the first thread is never sent: wrk only looks at it.
    if os.getenv("CHARGE") and sent > 1 and sent <= #customers + 1 then
        return post("/api/v1/top-ups", string.format('{"account_id":"%s","asset":"ECOPAY","amount":"20000"}', customer))
    end
    local body = '{"payer":{"account_id":"%s"},"merchant_account_id":"%s","asset":"ECOPAY","amount":"1"}'
    return post("/api/v1/payments", string.format(body, customer, merchants[sent % #merchants + 1]))
end
