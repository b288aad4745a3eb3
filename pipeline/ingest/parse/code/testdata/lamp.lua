--[[ Lamps
of all kinds ]]
local M = {}

--- Lights it.
-- @param wick which one
function M.light(wick)
  if wick then
    print("end")
  end
end

local function helper() return 1 end

function M:off()
end

return M
