-- Sends the request in the file $REQUEST: headers, an empty line, the body.
local inBody = false
wrk.method = "POST"
wrk.body = ""
for line in io.lines(os.getenv("REQUEST")) do
    if inBody then
        wrk.body = wrk.body .. line
    elseif line == "" then
        inBody = true
    else
        local name, value = line:match("^([^:]+): (.*)$")
        wrk.headers[name] = value
    end
end
