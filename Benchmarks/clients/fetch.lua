-- Fetches payloads, each with its recipient's token; PAIRS names the file of both, PAUSE the milliseconds before each request.
local pause = tonumber(os.getenv("PAUSE") or "0")
local requests = {}
local next = 0

function init(args)
    for line in io.lines(os.getenv("PAIRS")) do
        local token, id = line:match("^(%S+) (%S+)$")
        requests[#requests + 1] = wrk.format(
            "GET", "/api/notifications/" .. id, { Authorization = "Bearer " .. token })
    end
end

function request()
    next = next % #requests + 1
    return requests[next]
end

if pause > 0 then
    function delay() return pause end
end
